import { mostInSet } from "../../base/action.ts";
import { type Fields, isRecord, parseJson } from "../../base/json.ts";
import type { Risk } from "../../base/risk.ts";

/** Calls that the model may propose (PA-3). */
export const apis = {
  "ssh.list_servers": { description: "The servers of the environment section again.", needs: [] },
  "ssh.execute": {
    description: "Proposes a command on a server.",
    needs: ["server", "command"],
  },
} as const satisfies Record<string, { description: string; needs: readonly ("server" | "command")[] }>;
type Api = keyof typeof apis;

export interface Prediction {
  readonly exit: number;
  readonly contains?: string;
  readonly lacks?: string;
  readonly seconds?: number;
}

/** Policy has not seen it yet. */
export interface ParsedAction {
  readonly id: string;
  readonly api: Api;
  readonly title: string;
  readonly description: string;
  readonly risk?: Risk;
  /** A surprise is a failure. */
  readonly expect?: Prediction;
  /** Runs after it, to show whether it helped. */
  readonly check?: readonly string[];
  readonly params: { readonly server?: string; readonly command?: string; readonly commands?: readonly string[] };
}

export interface ActionOptions {
  /** Absent allows any. */
  readonly servers?: readonly string[] | undefined;
  readonly maxActions: number;
}

export interface EarlierNumbers {
  readonly replaces: readonly number[];
  readonly withdraw: readonly number[];
}

export const nothingEarlier: EarlierNumbers = { replaces: [], withdraw: [] };

export interface ReadActions extends EarlierNumbers {
  readonly actions: readonly ParsedAction[];
  /** A line per omission. */
  readonly notes: readonly string[];
  readonly warnings: readonly ("duplicate-id" | "invalid-action")[];
  readonly error: null | "bad-json" | "bad-shape";
}

/** Returns the actions that would run a command. */
export const executions = ({ actions }: Pick<ReadActions, "actions">): readonly ParsedAction[] =>
  actions.filter(({ api }) => api === "ssh.execute");

const maxLengths = { id: 64, title: 200, description: 2_000, server: 255 } as const;
const maxCommandBytes = 2_000;
const maxNotes = 5;
const proposableRisks: readonly Risk[] = ["low", "medium", "high"];

/** What cannot be seen must not be approved (SR-32): a newline hides a second command on a card's first line. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const codePoint = (text: string): string =>
  `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function readText(value: unknown, name: keyof typeof maxLengths): { text: string } | { problem: string } {
  if (typeof value !== "string" || value.trim() === "") return { problem: `${name} is missing` };
  if (value.length > maxLengths[name]) return { problem: `${name} is longer than ${maxLengths[name]} characters` };
  return { text: value.replace(/\s+/g, " ").trim() };
}

function readCommand(value: unknown, name = "command"): { text: string } | { problem: string } {
  if (typeof value !== "string" || value.trim() === "") return { problem: `${name} is missing` };
  if (Buffer.byteLength(value) > maxCommandBytes) return { problem: `${name} is longer than ${maxCommandBytes} bytes` };
  // Admission removes blank space around it and says so.
  const odd = hidden.exec(value.replaceAll("\r\n", "\n").replace(/^[ \t\n]+|[ \t\n]+$/g, ""));
  if (odd)
    return { problem: `${name} holds ${odd[0] === "\n" ? "a line break" : `the character ${codePoint(odd[0])}`}` };
  return { text: value };
}

function readCommands(value: unknown, name: string): { list: readonly string[] } | { problem: string } {
  if (!Array.isArray(value) || value.length === 0) return { problem: `${name} is no list` };
  if (value.length > mostInSet) return { problem: `${name} has more than ${mostInSet}` };
  const read = value.map((one) => readCommand(one, name));
  const problem = read.find((one) => "problem" in one);
  return problem ?? { list: read.flatMap((one) => ("text" in one ? [one.text] : [])) };
}

function readServer(value: unknown, servers: readonly string[] | undefined): { text: string } | { problem: string } {
  const server = readText(value, "server");
  if ("problem" in server) return server;
  const names = server.text.split(/[\s,]+/).filter((name) => name !== "");
  const unknown = names.find((name) => (servers ? !servers.includes(name) : !/^[\w.-]+$/.test(name)));
  if (unknown === undefined && names.length > 0) return { text: names.join(", ") };
  return { problem: `there is no server "${(unknown ?? server.text).slice(0, 60)}"` };
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

/** A label only raises the risk, so an unknown one counts as the worst. */
function readRisk(value: unknown): { risk?: Risk } {
  if (isMissing(value)) return {};
  const risk = proposableRisks.find((one) => typeof value === "string" && one === value.trim().toLowerCase());
  return { risk: risk ?? "high" };
}

const maxPatternCharacters = 200;
const maxSeconds = 86_400;

/** An unreadable prediction is refused, because the run would be compared with something else. */
function readExpect(value: unknown): { expect?: Prediction } | { problem: string } {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) return { problem: "expect is no object" };
  const { exit = 0, contains, lacks, seconds } = value;
  const isExit = typeof exit === "number" && Number.isInteger(exit) && exit >= 0 && exit < 2 ** 32;
  if (!isExit) return { problem: "expect.exit is no exit code" };
  const isPattern = (text: unknown): text is string =>
    typeof text === "string" && /[^*\s]/.test(text) && !hidden.test(text) && text.length <= maxPatternCharacters;
  if (contains !== undefined && !isPattern(contains)) return { problem: "expect.contains is no text of one line" };
  if (lacks !== undefined && !isPattern(lacks)) return { problem: "expect.lacks is no text of one line" };
  if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= maxSeconds))
    return { problem: "expect.seconds is no duration" };
  return {
    expect: {
      exit,
      ...(contains === undefined ? {} : { contains }),
      ...(lacks === undefined ? {} : { lacks }),
      ...(seconds === undefined ? {} : { seconds }),
    },
  };
}

function readAction(
  value: unknown,
  servers: readonly string[] | undefined,
  place: number,
): ParsedAction | { problem: string } {
  if (!isRecord(value)) return { problem: "it is no object" };
  const api = Object.keys(apis).find((name): name is Api => name === value.api);
  if (!api) return { problem: value.api === undefined ? "api is missing" : "its api is unknown" };
  // An id is only a label, because we assign the numbers.
  const given = typeof value.id === "number" ? `${value.id}` : value.id;
  const id = readText(isMissing(given) ? `${place}` : given, "id");
  if ("problem" in id) return id;
  const title = readText(value.title, "title");
  if ("problem" in title) return title;
  const description = readText(isMissing(value.description) ? title.text : value.description, "description");
  if ("problem" in description) return description;
  const expect = readExpect(value.expect);
  if ("problem" in expect) return expect;
  const about = {
    id: id.text,
    api,
    title: title.text,
    description: description.text,
    ...readRisk(value.risk),
    ...expect,
  };
  if (apis[api].needs.length === 0) return { ...about, params: {} };
  const params = isRecord(value.params) ? value.params : {};
  const server = readServer(params.server, servers);
  if ("problem" in server) return server;
  if (params.commands !== undefined) {
    const commands = readCommands(params.commands, "commands");
    return "problem" in commands ? commands : { ...about, params: { server: server.text, commands: commands.list } };
  }
  const command = readCommand(params.command);
  if ("problem" in command) return command;
  const checks = [value.check].flat().filter((one) => !isMissing(one));
  const check = checks.length > 0 ? readCommands(checks, "check") : undefined;
  if (check && "problem" in check) return check;
  return { ...about, params: { server: server.text, command: command.text }, ...(check && { check: check.list }) };
}

const nameOf = (value: unknown): string => {
  const title = isRecord(value) ? (value.title ?? value.id) : undefined;
  return typeof title === "string" ? `"${title.replace(/\s+/g, " ").slice(0, 60)}"` : "without a title";
};

/**
 * Reads an array or `{"actions": […], "replaces": [4], "withdraw": [7]}`. Leaves out what is incomplete, with a note; repairs nothing.
 * Never throws.
 */
export function readActions(json: string, options: ActionOptions): ReadActions {
  const failed = (error: "bad-json" | "bad-shape"): ReadActions => ({
    ...nothingEarlier,
    ...{ actions: [], notes: [], warnings: [], error },
  });
  const value = parseJson(json);
  if (value === undefined) return failed("bad-json");
  const earlier = isRecord(value) ? readEarlier(value) : nothingEarlier;
  const isAlone = isRecord(value) && value.actions === undefined && earlier.withdraw.length > 0;
  const list: unknown = isAlone ? [] : isRecord(value) ? value.actions : value;
  if (!Array.isArray(list)) return failed("bad-shape");

  const notes: string[] = [];
  const actions: ParsedAction[] = [];
  const ids = new Set<string>();
  let invalid = 0;
  let renamed = false;
  let surplus = 0;
  for (const [index, item] of list.entries()) {
    const action = readAction(item, options.servers, index + 1);
    if ("problem" in action) {
      invalid += 1;
      if (invalid <= maxNotes) notes.push(`Left out the proposal ${nameOf(item)}: ${action.problem}.`);
    } else if (actions.length >= options.maxActions) {
      surplus += 1;
    } else {
      const id = freeId(action.id, ids);
      renamed ||= id !== action.id;
      ids.add(id);
      actions.push({ ...action, id });
    }
  }
  if (invalid > maxNotes) notes.push(`Left out ${invalid - maxNotes} more that could not be read.`);
  if (surplus > 0) notes.push(`Left out ${surplus} more: at most ${options.maxActions} proposals at a time.`);
  const warnings = [...(renamed ? ["duplicate-id" as const] : []), ...(invalid > 0 ? ["invalid-action" as const] : [])];
  return { ...earlier, actions, notes, warnings, error: null };
}

const maxEarlier = 50;

function readEarlier({ replaces, withdraw }: Fields): EarlierNumbers {
  const numbers = (value: unknown): readonly number[] =>
    (Array.isArray(value) ? value : [value]).slice(0, maxEarlier).filter((one) => Number.isSafeInteger(one));
  return { replaces: numbers(replaces), withdraw: numbers(withdraw) };
}

/** At most `maxActions` are taken, so this ends soon. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? id : `${id}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
