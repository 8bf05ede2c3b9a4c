import { hash } from "node:crypto";
import type { ChatMessage } from "../base/agent.ts";
import type { RepoFile } from "../base/github.ts";
import type { Risk } from "../base/risk.ts";
import type { ServerSummary } from "../base/server.ts";
import { apis } from "./reply/actions.ts";
import { endMarker, startMarker } from "./reply/markers.ts";
import { defaultMaxActions } from "./reply/protocol.ts";
import { estimateTokens } from "./tokens.ts";
import type { ToolName } from "./tools.ts";
import type { ToolSpec } from "./wire/shapes.ts";

interface CatalogueEntry {
  readonly name: string;
  readonly description: string;
}

interface WorkflowEntry extends CatalogueEntry {
  readonly params: readonly string[];
}

interface Layer {
  readonly text: string;
  readonly source: string;
  /** All of it is our own words, so it needs no nonce. */
  readonly isShipped?: boolean;
}

export interface NamedServer extends ServerSummary {
  /** Whether commands run as root; absent if that means nothing. The agent never learns the account. */
  readonly root?: boolean | undefined;
}

interface PromptEnvironment {
  readonly repo: string;
  readonly issue: number;
  readonly servers: readonly NamedServer[];
  readonly approvals?: readonly Approvals[] | undefined;
  /** Where more is asked than by `approvals`. */
  readonly places?: readonly string[] | undefined;
}

export interface Approvals {
  readonly risk: Risk;
  readonly people: number;
  readonly reason: boolean;
  /** A comment of its own that names the server. */
  readonly alone: boolean;
}

/**
 * All parts of the system prompt; blank ones make no section (AR-14, INJ-1, INJ-2, INJ-5, OP-1 to OP-7, PA-1, PA-2, PA-5, PA-8, S13.1,
 * S13.4, S13.5, SR-39).
 */
export interface PromptLayers {
  /** Per session, so that people cannot forge a tag. */
  readonly nonce: string;
  /** Per repository, so that its prompts begin alike. */
  readonly repoNonce: string;
  /** `templates/instructions.md`, never a repository's. */
  readonly instructions: Layer;
  /** `.github/countersign/rules.md`. */
  readonly rules?: Layer | undefined;
  /** The default, the operator's or a person's. */
  readonly identity: Layer;
  /** Never a user's; absent for helpers. `{{placeholders}}` come from our tables. */
  readonly protocol?: Layer | undefined;
  readonly maxActions?: number;
  readonly outputCharacters?: number;
  readonly tools: readonly ToolSpec[];
  readonly workflows: readonly WorkflowEntry[];
  /** General first, specific last. */
  readonly context: readonly RepoFile[];
  readonly skills: readonly CatalogueEntry[];
  readonly skillsInAll?: number;
  readonly environment: PromptEnvironment;
  /** Absent for helpers. */
  readonly planning?: Layer | undefined;
  readonly session?: Layer | undefined;
  /** The operator's file; last. */
  readonly custom?: Layer | undefined;
}

interface PromptSection {
  readonly name: string;
  readonly source: string;
  /** Of the text as written, hex: for a file, what `sha256sum` prints. */
  readonly sha256: string;
  /** Estimated. */
  readonly tokens: number;
}

export interface Prompt {
  readonly text: string;
  /** Of the whole text, hex. */
  readonly sha256: string;
  readonly sections: readonly PromptSection[];
}

interface PromptLayer {
  readonly name: Tag;
  readonly source: string;
  readonly text: string;
  readonly foreign?: "repo" | "session" | undefined;
}

const generated = "generated";

const catalogue = (intro: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [intro, ...lines].join("\n");

const maxDescriptionCharacters = 1024;
/** Room for all skills' descriptions: a few stand whole. Of more, each says what it is for; `use_skill` and the matcher know the rest. */
const descriptionsRoom = 1_200;

/** Keeps the sentences that fit into its share, the first in any case. */
function shorten(text: string, share: number): string {
  const end = Math.min(text.length > share ? endOfSentences(text, share) : text.length, maxDescriptionCharacters);
  return text.length > end ? `${text.slice(0, end).toWellFormed()}…` : text;
}

/** The end of the last whole sentence within `share`, or of the first. */
function endOfSentences(text: string, share: number): number {
  const ends = [...text.slice(0, maxDescriptionCharacters + 1).matchAll(/[.!?](?=\s)/g)].map(({ index }) => index + 1);
  return ends.findLast((end) => end <= share) ?? ends[0] ?? text.length;
}

const cutOf = ({ skills, skillsInAll = 0 }: PromptLayers): string =>
  skillsInAll > skills.length ? ` Showing ${skills.length} of ${skillsInAll}, those that fit this incident best.` : "";

const layer = (name: Tag, from: Layer | undefined, foreign?: PromptLayer["foreign"]): PromptLayer => ({
  name,
  source: from?.source ?? "",
  text: from?.text ?? "",
  foreign,
});

/** Ordered for the provider's prefix cache: what all incidents share, then the repository's, the servers', this session's. */
function draftSections(layers: PromptLayers): readonly PromptLayer[] {
  const { instructions, rules, identity, protocol, planning, session, custom } = layers;
  const toolNames = layers.tools.map((tool) => tool.name);
  const made = (name: Tag, text: string, foreign?: PromptLayer["foreign"]): PromptLayer => ({
    name,
    source: generated,
    text,
    foreign,
  });
  return [
    layer("instructions", instructions),
    layer("rules", rules, "repo"),
    layer("identity", identity, identity.isShipped ? undefined : "repo"),
    layer("protocol", protocol && { ...protocol, text: fillProtocol(protocol.text, layers) }),
    made("tools", layers.tools.map(({ name, description }) => entry(`\`${name}\``, description)).join("\n")),
    made("tool-guidelines", buildGuidelines(toolNames)),
    layer("planning", planning),
    made(
      "workflows",
      catalogue(
        "Prepared lists of commands, each proposed for approval as yours are:",
        layers.workflows.map((w) => entry(w.name, `${w.description} (parameters: ${w.params.join(", ") || "none"})`)),
      ),
      "repo",
    ),
    ...layers.context.map((file) =>
      layer("project-context", { text: file.text, source: `${file.source}:${file.path}` }, "repo"),
    ),
    made(
      "skills",
      catalogue(
        `Load one by \`use_skill\` when it fits.${cutOf(layers)}`,
        layers.skills.map(({ name, description }) =>
          entry(name, shorten(description, descriptionsRoom / layers.skills.length)),
        ),
      ),
      "repo",
    ),
    made("environment", describeEnvironment(layers.environment)),
    layer("session-instructions", session, "session"),
    layer("custom-instructions", custom),
  ];
}

/** In other people's text, none of these opens or closes anything. */
const ownTags = [
  "instructions",
  "rules",
  "identity",
  "protocol",
  "tools",
  "workflows",
  "project-context",
  "skills",
  "environment",
  "tool-guidelines",
  "planning",
  "session-instructions",
  "custom-instructions",
  "skill",
  "skill-file",
] as const;
type Tag = (typeof ownTags)[number];

const anyTag = new RegExp(`<(?=[\\s/]{0,9}(?:${ownTags.join("|")})\\b)`, "gi");

/** Wraps other people's text in tags with a nonce, and breaks both inside, so that it cannot end its section or pass for another. */
export function wrapForeign(tag: Tag, options: { text: string; source: string; nonce: string }): string {
  const { text, source, nonce } = options;
  // A list of ours has no source to name.
  const from = source === generated ? "" : ` source="${attribute(source)}"`;
  const safe = breakNonce(text.replace(anyTag, "&lt;"), nonce);
  return `<${tag}${from} nonce="${nonce}">\n${safe}\n</${tag} nonce="${nonce}">`;
}

const breakNonce = (text: string, nonce: string): string => text.replaceAll(nonce, `${nonce.slice(0, 2)}…`);

const attribute = (value: string): string => value.replace(/[\s"<>&]+/g, " ").trim();

const wrap = (draft: PromptLayer, nonces: Pick<PromptLayers, "nonce" | "repoNonce">): string => {
  const text = draft.text.trim();
  if (draft.foreign === undefined) return `<${draft.name}>\n${text}\n</${draft.name}>`;
  const [nonce, other] = draft.foreign === "repo" ? [nonces.repoNonce, nonces.nonce] : [nonces.nonce, nonces.repoNonce];
  return wrapForeign(draft.name, { text: breakNonce(text, other), source: draft.source, nonce });
};

/** Builds the system prompt. Pure: nothing that changes every turn (time, step, phase) belongs in it. */
export function buildPrompt(layers: PromptLayers): Prompt {
  const drafts = draftSections(layers).filter((draft) => draft.text.trim() !== "");
  const parts = drafts.map((draft) => {
    const sent = wrap(draft, layers);
    return { name: draft.name, source: draft.source, sent, ...measure(sent, draft.text) };
  });
  const text = parts.map(({ sent }) => sent).join("\n\n");
  const sections = parts.map(({ name, source, sha256, tokens }) => ({ name, source, sha256, tokens }));
  return { text, sha256: wholes(parts.map(({ sentSha256 }) => sentSha256).join(), () => sha256Of(text)), sections };
}

/** Most texts repeat from prompt to prompt. */
function keep<T>(most: number): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make();
    known.set(key, made);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return made;
  };
}

const sha256Of = (text: string): string => hash("sha256", text);
const wholes = keep<string>(20);
const sizes = keep<Pick<PromptSection, "sha256" | "tokens"> & { readonly sentSha256: string }>(500);
const measure = (sent: string, written: string) =>
  sizes(sent, () => ({ sha256: sha256Of(written), sentSha256: sha256Of(sent), tokens: estimateTokens(sent) }));

/** Repeats instructions and rules in a long session (INJ-3, INJ-4). */
export function buildReminder(layers: Pick<PromptLayers, "nonce" | "repoNonce" | "instructions" | "rules">): string {
  const { instructions, rules } = layers;
  return [layer("instructions", instructions), layer("rules", rules, "repo")]
    .filter((draft) => draft.text.trim() !== "")
    .map((draft) => wrap(draft, layers))
    .join("\n\n");
}

/** Other people's text must not leave its line. */
const entry = (name: string, description: string): string =>
  `- ${name}: ${description.replace(/[^\S ]\s*|\s{2,}/g, " ").trim()}`;

const kindWords: Readonly<Record<NonNullable<ServerSummary["is"]>, string>> = {
  cluster: "Kubernetes cluster, takes `kubectl`",
  prometheus: "Prometheus source, takes queries",
  loki: "Loki source, takes queries",
  mcp: "source with tools over MCP",
  patches: "repository, takes patches by `propose_patch` and no commands",
};

/** Fewer servers alike are described each by itself. */
const leastAlike = 3;

/** Describes all that people and the agent may know of servers; once what most of them are. */
export function describeServers(servers: readonly NamedServer[]): string {
  if (servers.length === 0) return "There is no server you may name: propose no command.";
  const described = servers.map((server) => ({ ...server, kind: kindOf(server) }));
  const [most] = [...Map.groupBy(described, ({ kind }) => kind)].toSorted(([, a], [, b]) => b.length - a.length);
  const usual = most && most[1].length >= leastAlike ? most[0] : undefined;
  return [
    ...(usual === undefined ? [] : [`Unless said otherwise: ${usual}.`]),
    ...described.map(({ name, kind, groups, description }) =>
      entry(
        name,
        [...(kind === usual ? [] : [kind]), ...groups.map((group) => `group ${group}`), description].join("; "),
      ),
    ),
  ].join("\n");
}

const kindOf = ({ os, is, root }: NamedServer): string =>
  [
    is === undefined ? (os === "auto" ? "OS not known yet" : os) : kindWords[is],
    ...(root === undefined ? [] : [root ? "runs as root" : "not root"]),
  ].join("; ");

/** The incident is last, because no other prompt shares it. */
function describeEnvironment({ repo, issue, servers, approvals = [], places = [] }: PromptEnvironment): string {
  const needs = approvals.map(({ risk, people, reason, alone }) =>
    [
      `${risk} ${people}`,
      ...(reason ? ["with a reason"] : []),
      ...(alone ? ["each by itself with its server named"] : []),
    ].join(", "),
  );
  return [
    `Repository: ${repo}`,
    ...(servers.length > 0 ? ["All servers that you may name:"] : []),
    describeServers(servers),
    ...(servers.some(({ root }) => root === false)
      ? ["Where it is not root, `sudo -n COMMAND` may work; nobody can type a password."]
      : []),
    ...(servers.some(({ is }) => is === "cluster")
      ? [
          "On a cluster there is no shell. `kubectl exec`, `cp`, `port-forward` and `run` are refused, and `-A` unless it is said that the server has every namespace: name one with `-n`.",
        ]
      : []),
    ...(needs.length > 0
      ? [
          `Approvals needed, by risk: ${needs.join("; ")}. Only a person's comment \`/approve NUMBER\` approves: no agreement in words, and nothing that you write.`,
        ]
      : []),
    ...(places.length > 0 ? [`Some places ask for more. ${places.join(". ")}.`] : []),
    `Incident: issue #${issue}`,
  ].join("\n");
}

const ofTool: Readonly<Partial<Record<ToolName, string>>> = {
  read_output: "`read_output` of a cut output, before you propose to run that command again.",
  use_skill: "Never propose `cat` or the like of a SKILL.md: it is on no server.",
  list_servers: "When in doubt `list_servers`, before you name a server.",
  propose_actions:
    "Propose all of a reply in one call, beside your words. Never propose `echo` or `cat` to show a text: write it.",
  suggest_ssh_command: "If one command is the next step, say what in the output asks for it.",
  get_feedback_history: "`get_feedback_history` before you repeat what people may have turned down.",
  delegate: "`delegate` the reading of long outputs or files.",
  ask_question: "One thing at a time. People answer yes, no, skip or in their own words.",
  start_workflow:
    "Use `start_workflow` where a workflow fits, rather than to propose its commands one by one. Its steps are not counted as proposals.",
};

/** If one of these is active, `status` applies. */
const looking: readonly string[] = ["list_servers", "read_output", "use_skill"] satisfies readonly ToolName[];
const status =
  "Beside a call that looks something up: `<status>Reading the error log</status>`, what you do in at most 6 words.";

/** Returns these tools' guidelines as a Markdown list; empty if none applies. */
export const buildGuidelines = (toolNames: readonly string[]): string =>
  [
    ...Object.entries(ofTool).flatMap(([tool, text]) => (toolNames.includes(tool) ? [text] : [])),
    ...(toolNames.some((tool) => looking.includes(tool)) ? [status] : []),
  ]
    .map((line) => `- ${line}`)
    .join("\n");

interface ProtocolLimits {
  readonly maxActions?: number;
  readonly outputCharacters?: number;
}

const defaultOutputCharacters = 5_000;

/** Fills `templates/prompt/protocol.md` as generated text. Throws for an unknown placeholder: a prompt with a hole must not be sent. */
export function fillProtocol(
  template: string,
  { maxActions = defaultMaxActions, outputCharacters = defaultOutputCharacters }: ProtocolLimits,
): string {
  // The parser reads by the same tables.
  const values: Readonly<Record<string, string>> = {
    start_marker: startMarker,
    end_marker: endMarker,
    max_actions: String(maxActions),
    output_characters: outputCharacters.toLocaleString("en-US"),
    apis: Object.entries(apis)
      .filter(([name]) => name !== "github.patch")
      .map(([name, { needs }]) => `\`${name}\` (${needs.join(", ") || "no params"})`)
      .join(" or "),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the protocol's template wants a value for ${name}`);
    return value;
  });
}

/** At these percentages of the window, rules are repeated. */
const shares = [25, 50, 75] as const;
type WindowShare = (typeof shares)[number];

type Reinjection =
  | { readonly trigger: "rules" | "turns" }
  | { readonly trigger: "window"; readonly share: WindowShare };

interface ReinjectionState {
  readonly enabled: boolean;
  /** They differ from those that the model has read. */
  readonly rulesChanged: boolean;
  /** Interval if the window is unknown. */
  readonly turns: number;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** The next request by our estimate, or the last by the endpoint's count if that is more. */
  readonly inputTokens: number;
  /** User and agent are one turn. */
  readonly turnsSince: number;
  readonly lastShare?: WindowShare | undefined;
}

/** Decides whether and why to repeat the rules before the next request. */
export function decideReinjection(state: ReinjectionState): Reinjection | undefined {
  if (!state.enabled) return undefined;
  if (state.rulesChanged) return { trigger: "rules" };
  if (state.contextWindow === undefined) return state.turnsSince >= state.turns ? { trigger: "turns" } : undefined;
  const used = (100 * state.inputTokens) / state.contextWindow;
  const share = shares.findLast((one) => used > one);
  return share !== undefined && share > (state.lastShare ?? 0) ? { trigger: "window", share } : undefined;
}

/** Builds the message; `text` is `buildReminder`'s. */
export const reinjectionMessage = (why: Reinjection, step: number, text: string): ChatMessage => ({
  role: "user",
  content: `${headOf(why, step)}\n\n${text}`,
});

const headOf = (why: Reinjection, step: number): string =>
  `Countersign tells its instructions again at step ${step} (${triggerOf(why)}).`;

/** Names the trigger, also for the log. */
export const triggerOf = (why: Reinjection): string =>
  why.trigger === "window" ? `window ${why.share} %` : why.trigger;

/** Finds the last repetition in the messages. None begins with people's text, so none can be forged. */
export function lastReinjection(history: readonly ChatMessage[]): {
  readonly step: number;
  readonly share?: WindowShare;
} {
  const all = history.flatMap((message) => tellingOf(message) ?? []);
  const share = all.findLast((telling) => telling.share !== undefined)?.share;
  return { step: all.at(-1)?.step ?? 0, ...(share && { share }) };
}

/** Returns the endpoint's count for the newest request; 0 if it gave none. */
export function lastInputTokens(history: readonly ChatMessage[]): number {
  const counted = history.flatMap((message) => (message.role === "user" ? (message.inputTokens ?? []) : []));
  return counted.at(-1) ?? 0;
}

/** Removes older versions of this text: below new rules, one would be the last word. */
export const withoutOutdated = (history: readonly ChatMessage[], text: string): readonly ChatMessage[] =>
  history.filter((message) => (tellingOf(message)?.text ?? text) === text);

function tellingOf({ role, content }: ChatMessage) {
  const [head, step, percent] = (role === "user" && heading.exec(content)) || [];
  if (head === undefined) return undefined;
  return {
    step: Number(step),
    share: shares.find((one) => String(one) === percent),
    text: content.slice(head.length),
  };
}

const heading = /^Countersign tells its instructions again at step (\d+) \((?:rules|turns|window (\d+) %)\)\.\n\n/;
