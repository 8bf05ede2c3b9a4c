import { type Condition, mostInSet } from "../../base/action.ts";
import { type HypothesisStatus, hypothesisStatuses, maxHypothesisCharacters } from "../../base/agent.ts";
import { codePoint, unseen } from "../../base/invisible.ts";
import { type Fields, isRecord, parseJson } from "../../base/json.ts";
import type { Risk } from "../../base/risk.ts";

/** Calls that the model may propose (PA-3). */
export const apis = {
  "ssh.execute": { needs: ["server", "command"] },
  "ssh.list_servers": { needs: [] },
  "github.patch": { needs: ["server", "patch"] },
} as const satisfies Record<string, { needs: readonly ("server" | "command" | "patch")[] }>;
type Api = keyof typeof apis;

export interface Prediction {
  readonly exit: number;
  readonly contains?: string;
  readonly lacks?: string;
  readonly seconds?: number;
}

/** `check`: the place or id of a read before it in the same list; behind a full stop, which of its set. */
interface WrittenCondition {
  readonly check: string;
  readonly shows: string;
  readonly on?: string;
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
  readonly when?: Condition;
  readonly params: {
    readonly server?: string;
    readonly command?: string;
    readonly commands?: readonly string[];
    /** A unified diff; in its first line may be the commit it is against. */
    readonly patch?: string;
    /** Where its checks run, once it is merged. */
    readonly checkOn?: string;
  };
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

/** Of a hypothesis that is known by its id, what is left out stays. */
export interface NamedHypothesis {
  readonly id: string;
  readonly says?: string;
  readonly status?: HypothesisStatus;
  /** As written, such as `run 3`. */
  readonly for?: readonly string[];
  readonly against?: readonly string[];
}

export interface NamedHypotheses {
  readonly named: readonly NamedHypothesis[];
  /** A clause for each that was left out. */
  readonly unreadable: readonly string[];
}

export const noHypotheses: NamedHypotheses = { named: [], unreadable: [] };

export interface ReadActions extends EarlierNumbers {
  readonly actions: readonly ParsedAction[];
  /** False if it only names hypotheses, so that what was proposed before stays. */
  readonly proposes: boolean;
  readonly hypotheses: NamedHypotheses;
  /** A line per omission. */
  readonly notes: readonly string[];
  readonly warnings: readonly ("duplicate-id" | "invalid-action")[];
  /** Titles of what has no description. */
  readonly undescribed: readonly string[];
  readonly error: null | "bad-json" | "bad-shape";
}

/** Returns the actions that would run a command or open a pull request. */
export const executions = ({ actions }: Pick<ReadActions, "actions">): readonly ParsedAction[] =>
  actions.filter(({ api }) => api !== "ssh.list_servers");

const maxCommandBytes = 2_000;
const maxNotes = 5;
const proposableRisks = ["low", "medium", "high"] as const satisfies readonly Risk[];

/** What a tool's schema says of a text and of an object. What its fields mean, only the prompt says: each request repeats both. */
export const textSchema = { type: "string" } as const;
export const objectSchema = (properties: Fields, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

type ReadField<T> = { readonly value: T } | { readonly problem: string };
/** One field of a proposal: what a model is told of it, and how it is read from a block or a call. */
interface Field<T> {
  readonly schema: Fields;
  readonly read: (value: unknown, name: string) => ReadField<T>;
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

const textField = (most: number): Field<string> => ({
  schema: textSchema,
  read: (value, name) => {
    if (typeof value !== "string" || value.trim() === "") return { problem: `${name} is missing` };
    if (value.length > most) return { problem: `${name} is longer than ${most} characters` };
    return { value: value.replace(/\s+/g, " ").trim() };
  },
});

/** What cannot be seen must not be approved (SR-32): a newline hides a second command on a card's first line. */
const commandField: Field<string> = {
  schema: textSchema,
  read: (value, name) => {
    if (typeof value !== "string" || value.trim() === "") return { problem: `${name} is missing` };
    if (Buffer.byteLength(value) > maxCommandBytes)
      return { problem: `${name} is longer than ${maxCommandBytes} bytes` };
    // Admission removes blank space around it and says so.
    const [odd] = value
      .replaceAll("\r\n", "\n")
      .replace(/^[ \t\n]+|[ \t\n]+$/g, "")
      .matchAll(unseen);
    if (odd?.[0] === "\n") return { problem: `${name} holds a line break` };
    if (odd) return { problem: `${name} holds ${codePoint(odd[0])} at character ${odd.index + 1}` };
    return { value };
  },
};

/** Its own judge reads it (`parsePatch`). */
const maxPatchCharacters = 60_000;
const patchField: Field<string> = {
  schema: textSchema,
  read: (value, name) => {
    if (typeof value !== "string" || value.trim() === "") return { problem: `${name} is missing` };
    if (value.length > maxPatchCharacters)
      return { problem: `${name} is longer than ${maxPatchCharacters.toLocaleString("en")} characters` };
    return { value };
  },
};

const commandsField: Field<readonly string[]> = {
  schema: { type: "array", items: textSchema },
  read: (value, name) => {
    if (!Array.isArray(value) || value.length === 0) return { problem: `${name} is no list` };
    if (value.length > mostInSet) return { problem: `${name} has more than ${mostInSet}` };
    const read = value.map((one) => commandField.read(one, name));
    const problem = read.find((one) => "problem" in one);
    return problem ?? { value: read.flatMap((one) => ("value" in one ? [one.value] : [])) };
  },
};

/** A label only raises the risk, so an unknown one counts as the worst. */
const riskField: Field<Risk> = {
  schema: { type: "string", enum: proposableRisks },
  read: (value) => ({
    value: proposableRisks.find((one) => typeof value === "string" && one === value.trim().toLowerCase()) ?? "high",
  }),
};

const maxPatternCharacters = 200;
const maxSeconds = 86_400;

/** Text of one line; `*` alone would match anything. */
const isPattern = (text: unknown): text is string =>
  typeof text === "string" && /[^*\s]/.test(text) && text.search(unseen) === -1 && text.length <= maxPatternCharacters;

/** An unreadable prediction is refused, because the run would be compared with something else. */
const expectField: Field<Prediction> = {
  schema: objectSchema({
    exit: { type: "integer" },
    contains: textSchema,
    lacks: textSchema,
    seconds: { type: "number" },
  }),
  read: (value) => {
    if (!isRecord(value)) return { problem: "expect is no object" };
    const { exit = 0, contains, lacks, seconds } = value;
    const isExit = typeof exit === "number" && Number.isInteger(exit) && exit >= 0 && exit < 2 ** 32;
    if (!isExit) return { problem: "expect.exit is no exit code" };
    if (contains !== undefined && !isPattern(contains)) return { problem: "expect.contains is no text of one line" };
    if (lacks !== undefined && !isPattern(lacks)) return { problem: "expect.lacks is no text of one line" };
    if (seconds !== undefined && !(typeof seconds === "number" && seconds > 0 && seconds <= maxSeconds))
      return { problem: "expect.seconds is no duration" };
    return {
      value: {
        exit,
        ...(contains === undefined ? {} : { contains }),
        ...(lacks === undefined ? {} : { lacks }),
        ...(seconds === undefined ? {} : { seconds }),
      },
    };
  },
};

/** An unreadable condition is refused with its change, because without it the change would run always. */
const whenField: Field<WrittenCondition> = {
  schema: objectSchema({ check: { type: "number" }, shows: textSchema, on: textSchema }, ["check", "shows"]),
  read: (value) => {
    if (!isRecord(value)) return { problem: "when is no object" };
    const { check, shows, on, ...others } = value;
    const [other] = Object.keys(others);
    if (other !== undefined) return { problem: `when knows no "${other.slice(0, 60)}"` };
    const named = typeof check === "number" ? `${check}` : check;
    if (typeof named !== "string" || named.trim() === "") return { problem: "when.check names no check" };
    if (!isPattern(shows)) return { problem: "when.shows is no text of one line" };
    if (on === undefined || on === null) return { value: { check: named.trim(), shows } };
    if (typeof on !== "string" || on.trim() === "") return { problem: "when.on names no server" };
    return { value: { check: named.trim(), shows, on } };
  },
};

/** The one definition of a proposal: blocks, calls and the tools' descriptions are made from it. */
const about = {
  title: textField(200),
  description: textField(2_000),
  risk: riskField,
  expect: expectField,
  check: commandsField,
  when: whenField,
};
const idField = textField(64);
const params = { server: textField(255), command: commandField, commands: commandsField };
const patchParams = { server: params.server, commit: textField(64), patch: patchField, check_on: params.server };

/** An incident keeps no more. */
export const mostHypotheses = 12;
const maxIdCharacters = 40;
const maxReferences = 12;
const maxReferenceCharacters = 60;

const statusField: Field<HypothesisStatus> = {
  schema: { type: "string", enum: hypothesisStatuses },
  read: (value, name) => {
    const said = typeof value === "string" ? value.trim().toLowerCase() : "";
    const status = hypothesisStatuses.find((one) => one === said);
    return status ? { value: status } : { problem: `${name} is none of ${hypothesisStatuses.join(", ")}` };
  },
};

const referencesField: Field<readonly string[]> = {
  schema: { type: "array", items: textSchema },
  read: (value) => ({
    value: [value]
      .flat()
      .slice(0, maxReferences)
      .map((one) => (typeof one === "string" || typeof one === "number" ? `${one}`.replace(/\s+/g, " ").trim() : ""))
      .map((one) => (one === "" || one.length > maxReferenceCharacters ? "it" : one)),
  }),
};

/** Beside the proposals of a list. */
const hypothesis = {
  id: textField(maxIdCharacters),
  // Shortened where it is redacted, because half a secret has no shape.
  says: { ...textField(2_000), schema: { ...textSchema, maxLength: maxHypothesisCharacters } },
  status: statusField,
  for: referencesField,
  against: referencesField,
};

const schemasOf = (fields: Readonly<Record<string, Field<unknown>>>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));

const numbers = { type: "array", items: { type: "integer" } } as const;

/** What `propose_actions` takes, and what is in a block. An id is only a label, so a place does as well. */
export const proposalListSchema = objectSchema({
  actions: {
    type: "array",
    items: objectSchema(
      {
        api: { type: "string", enum: ["ssh.execute"] },
        ...schemasOf(about),
        params: objectSchema(schemasOf(params), ["server"]),
      },
      ["api", "title", "description", "params"],
    ),
  },
  replaces: numbers,
  withdraw: numbers,
  hypotheses: { type: "array", items: objectSchema(schemasOf(hypothesis), ["id"]) },
});

/** What `suggest_ssh_command` takes. Other fields of a proposal are read too, but a list is the place for them. */
export const singleProposalSchema = objectSchema(
  schemasOf({
    server: params.server,
    command: params.command,
    title: about.title,
    description: about.description,
    risk: riskField,
  }),
  ["server", "command", "title", "description"],
);

/** What `propose_patch` takes. */
export const patchProposalSchema = objectSchema(
  {
    ...schemasOf(patchParams),
    ...schemasOf({ title: about.title, description: about.description, check: about.check }),
  },
  ["server", "commit", "patch", "title", "description"],
);

/** The tools that propose one thing more. */
export const singleTools: ReadonlySet<string> = new Set(["suggest_ssh_command", "propose_patch"]);

/** What one of them was called with, as an item of the list. */
export function toListItem(tool: string, args: Fields): Fields {
  const { server, command, commit, patch, check_on, ...fields } = args;
  return tool === "propose_patch"
    ? { ...fields, api: "github.patch", params: { server, commit, patch, check_on } }
    : { ...fields, api: "ssh.execute", params: { server, command } };
}

function readServer(value: unknown, servers: readonly string[] | undefined): ReadField<string> {
  const server = params.server.read(value, "server");
  if ("problem" in server) return server;
  const names = server.value.split(/[\s,]+/).filter((name) => name !== "");
  const unknown = names.find((name) => (servers ? !servers.includes(name) : !/^[\w.-]+$/.test(name)));
  if (unknown === undefined && names.length > 0) return { value: names.join(", ") };
  return { problem: `there is no server "${(unknown ?? server.value).slice(0, 60)}"` };
}

/** Throws what is wrong with a field, for `readAction`. */
function take<T>(read: ReadField<T>): T {
  if ("problem" in read) throw new FieldProblem(read.problem);
  return read.value;
}
class FieldProblem extends Error {}

/** What was read before an item, by its place in the written list. */
type ReadBefore = ReadonlyMap<number, { readonly written: string | undefined; readonly action: ParsedAction }>;

/** Finds the read that a condition names; throws a problem, because without it the change would run always. */
function findCheck({ check, shows }: WrittenCondition, before: ReadBefore): Omit<Condition, "on"> {
  const named = (name: string) =>
    [...before].flatMap(([place, { written, action }]) => (written === name || `${place}` === name ? [action] : []));
  const [, base = "", member = ""] = /^(.+)\.([1-9])$/.exec(check) ?? [];
  const found = new Map([
    ...named(base).map((action) => [action, Number(member)] as const),
    ...named(check).map((action) => [action, undefined] as const),
  ]);
  const [one, another] = found;
  const name = `when.check ${check.slice(0, 60)}`;
  if (one === undefined) throw new FieldProblem(`${name} is no proposal before it in the list`);
  if (another) throw new FieldProblem(`${name} is the id of one proposal and the place of another`);
  const [
    {
      params: { server, command, commands },
    },
    at,
  ] = one;
  if (commands !== undefined && at === undefined)
    throw new FieldProblem(`${name} is a set: name one of its reads, as ${check.slice(0, 60)}.2`);
  const read = at === undefined ? command : commands?.[at - 1];
  if (server === undefined || read === undefined) throw new FieldProblem(`${name} names no single command`);
  return { server, command: read, shows };
}

/** With its commit as the first line, which the patch itself may have too. */
function readPatchParams(
  { check }: Fields,
  fields: Fields & { readonly server: string },
  servers: readonly string[] | undefined,
): Pick<ParsedAction, "params" | "check"> {
  const patch = take(patchParams.patch.read(fields.patch, "patch"));
  const commit = isMissing(fields.commit) ? undefined : take(patchParams.commit.read(fields.commit, "commit"));
  const checks = [check].flat().filter((one) => !isMissing(one));
  const { server } = fields;
  const given = { server, patch: commit === undefined ? patch : `commit ${commit}\n${patch}` };
  if (checks.length === 0) return { params: given };
  const checkOn = take(readServer(fields.check_on, servers));
  return { params: { ...given, checkOn }, check: take(about.check.read(checks, "check")) };
}

function readAction(
  value: unknown,
  servers: readonly string[] | undefined,
  place: number,
  before: ReadBefore,
): ParsedAction | { problem: string } {
  if (!isRecord(value)) return { problem: "it is no object" };
  const api = Object.keys(apis).find((name): name is Api => name === value.api);
  if (!api) return { problem: value.api === undefined ? "api is missing" : "its api is unknown" };
  try {
    // An id is only a label, because we assign the numbers.
    const given = typeof value.id === "number" ? `${value.id}` : value.id;
    const title = (): string => take(about.title.read(value.title, "title"));
    const common = {
      id: take(idField.read(isMissing(given) ? `${place}` : given, "id")),
      api,
      title: title(),
      // A missing one is asked for once; then the title has to do.
      description: isMissing(value.description)
        ? title()
        : take(about.description.read(value.description, "description")),
      ...(!isMissing(value.risk) && { risk: take(about.risk.read(value.risk, "risk")) }),
      ...(value.expect !== undefined &&
        value.expect !== null && { expect: take(about.expect.read(value.expect, "expect")) }),
    };
    if (apis[api].needs.length === 0) return { ...common, params: {} };
    const fields = isRecord(value.params) ? value.params : {};
    const server = take(readServer(fields.server, servers));
    const isConditional = value.when !== undefined && value.when !== null;
    if (isConditional && api === "github.patch") return { problem: "a patch waits for no check" };
    if (api === "github.patch") return { ...common, ...readPatchParams(value, { ...fields, server }, servers) };
    if (isConditional && fields.commands !== undefined) return { problem: "a set of reads waits for no check" };
    const written = isConditional ? take(about.when.read(value.when, "when")) : undefined;
    const on = written?.on !== undefined && { on: take(readServer(written.on, servers)) };
    const when = written && { when: { ...findCheck(written, before), ...on } };
    if (fields.commands !== undefined)
      return { ...common, params: { server, commands: take(params.commands.read(fields.commands, "commands")) } };
    const command = take(params.command.read(fields.command, "command"));
    const checks = [value.check].flat().filter((one) => !isMissing(one));
    const check = checks.length > 0 && { check: take(about.check.read(checks, "check")) };
    return { ...common, params: { server, command }, ...when, ...check };
  } catch (error) {
    if (error instanceof FieldProblem) return { problem: error.message };
    throw error;
  }
}

export const noActions: ReadActions = {
  ...nothingEarlier,
  ...{ actions: [], proposes: false, hypotheses: noHypotheses, notes: [], warnings: [], undescribed: [], error: null },
};

const nameOf = (value: unknown): string => {
  const title = isRecord(value) ? (value.title ?? value.id) : undefined;
  return typeof title === "string" ? `"${title.replace(/\s+/g, " ").slice(0, 60)}"` : "without a title";
};

function readHypothesis(value: unknown): NamedHypothesis | { problem: string } {
  if (!isRecord(value)) return { problem: "it is no object" };
  const given = (name: keyof typeof hypothesis): boolean => !isMissing(value[name]);
  try {
    return {
      id: take(hypothesis.id.read(typeof value.id === "number" ? `${value.id}` : value.id, "id")),
      ...(given("says") && { says: take(hypothesis.says.read(value.says, "says")) }),
      ...(given("status") && { status: take(hypothesis.status.read(value.status, "status")) }),
      ...(given("for") && { for: take(hypothesis.for.read(value.for, "for")) }),
      ...(given("against") && { against: take(hypothesis.against.read(value.against, "against")) }),
    };
  } catch (error) {
    if (error instanceof FieldProblem) return { problem: error.message };
    throw error;
  }
}

function readHypotheses(value: unknown): NamedHypotheses {
  const list = isMissing(value) ? [] : [value].flat();
  const named: NamedHypothesis[] = [];
  const unreadable: string[] = [];
  for (const item of list.slice(0, mostHypotheses)) {
    const read = readHypothesis(item);
    if (!("problem" in read)) named.push(read);
    else {
      const id = isRecord(item) && hypothesis.id.read(item.id, "id");
      unreadable.push(`${id && "value" in id ? `"${id.value}"` : "one"}: ${read.problem}`);
    }
  }
  if (list.length > mostHypotheses) unreadable.push(`more than ${mostHypotheses} at a time`);
  return { named, unreadable };
}

/** Whether a list is about hypotheses alone. */
const namesOnlyHypotheses = (list: Fields): boolean =>
  isMissing(list.actions) && !isMissing(list.hypotheses) && readEarlier(list).withdraw.length === 0;

/**
 * Reads an array or `{"actions": […], "replaces": [4], "withdraw": [7], "hypotheses": […]}`. Leaves out what is incomplete, with a note; repairs nothing.
 * Never throws.
 */
export function readActions(json: string, options: ActionOptions): ReadActions {
  const value = parseJson(json);
  return value === undefined ? { ...noActions, error: "bad-json" } : readActionList(value, options);
}

/** The same for what is parsed already. */
export function readActionList(value: unknown, options: ActionOptions): ReadActions {
  const hypotheses = isRecord(value) ? readHypotheses(value.hypotheses) : noHypotheses;
  if (isRecord(value) && namesOnlyHypotheses(value)) return { ...noActions, hypotheses };
  const earlier = isRecord(value) ? readEarlier(value) : nothingEarlier;
  const isAlone = isRecord(value) && value.actions === undefined && earlier.withdraw.length > 0;
  const list: unknown = isAlone ? [] : isRecord(value) ? value.actions : value;
  if (!Array.isArray(list)) return { ...noActions, error: "bad-shape" };

  const notes: string[] = [];
  const actions: ParsedAction[] = [];
  const undescribed: string[] = [];
  const ids = new Set<string>();
  const before = new Map<number, { readonly written: string | undefined; readonly action: ParsedAction }>();
  let invalid = 0;
  let renamed = false;
  let surplus = 0;
  for (const [index, item] of list.entries()) {
    const action = readAction(item, options.servers, index + 1, before);
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
      const hasId = isRecord(item) && !isMissing(item.id);
      before.set(index + 1, { written: hasId ? action.id : undefined, action });
      if (isRecord(item) && isMissing(item.description)) undescribed.push(action.title);
    }
  }
  if (invalid > maxNotes) notes.push(`Left out ${invalid - maxNotes} more that could not be read.`);
  if (surplus > 0) notes.push(`Left out ${surplus} more: at most ${options.maxActions} proposals at a time.`);
  const warnings = [...(renamed ? ["duplicate-id" as const] : []), ...(invalid > 0 ? ["invalid-action" as const] : [])];
  return { ...earlier, actions, proposes: true, hypotheses, notes, warnings, undescribed, error: null };
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
