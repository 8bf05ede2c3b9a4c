import { hash } from "node:crypto";
import type { RepoFile } from "../base/github.ts";
import { describeEnvironment, describeTool, entry, type PromptEnvironment } from "./describe.ts";
import { buildGuidelines } from "./guidelines.ts";
import { fillProtocol } from "./reply/protocol-values.ts";
import { estimateTokens } from "./tokens.ts";
import type { ToolSpec } from "./wire/shapes.ts";

/** A named thing of a catalogue: what the model learns of a skill or workflow before it asks for more (OP-4). */
interface CatalogueEntry {
  readonly name: string;
  readonly description: string;
}

interface WorkflowEntry extends CatalogueEntry {
  /** Names of the parameters it takes. */
  readonly params: readonly string[];
}

/** A text of somebody's, with where it came from. */
interface Layer {
  readonly text: string;
  readonly source: string;
}

/** Everything the system prompt is made of. What is absent or blank makes no section. */
export interface PromptLayers {
  /** Drawn when the session starts; stands on the tags round other people's text, so that none can be forged (SR-39). */
  readonly nonce: string;
  /** Stands in its place round what a repository's files say, so that the prompts of all its incidents begin alike. */
  readonly repoNonce: string;
  /** `templates/instructions.md`, never taken from a repository (INJ-1). */
  readonly instructions: Layer;
  /** `.github/countersign/rules.md` of the repository (INJ-2). */
  readonly rules?: Layer | undefined;
  /** Part 1: the default, the operator's or a person's own (PA-1, PA-2). */
  readonly identity: Layer;
  /**
   * Part 2: the API reference; there for every agent that proposes, never a user's, and absent for sub-agents (OP-7). Its
   * `{{placeholders}}` are filled from our tables (PA-1).
   */
  readonly protocol?: Layer | undefined;
  /** How many proposals a reply may hold (PA-5). */
  readonly maxActions?: number;
  /** How much of an output is shown at once (AR-14). */
  readonly outputCharacters?: number;
  readonly tools: readonly ToolSpec[];
  readonly workflows: readonly WorkflowEntry[];
  /** General first, specific last (OP-2). */
  readonly context: readonly RepoFile[];
  /** Those that are shown; where there are more, `skillsInAll` says how many. */
  readonly skills: readonly CatalogueEntry[];
  readonly skillsInAll?: number;
  readonly environment: PromptEnvironment;
  /** Where the plan stands; absent for sub-agents (OP-6, OP-7). */
  readonly planning?: Layer | undefined;
  /** Of this session alone, e.g. the pillar's text (S13.4). */
  readonly session?: Layer | undefined;
  /** The operator's file; last (S13.5). */
  readonly custom?: Layer | undefined;
}

interface PromptSection {
  readonly name: string;
  readonly source: string;
  /** Of its text as it was written, hex: of a file what `sha256sum` says of it. */
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

interface Draft {
  readonly name: Tag;
  readonly source: string;
  readonly text: string;
  /** Written by others than us and the operator: in the repository, or for this session alone. */
  readonly foreign?: "repo" | "session" | undefined;
}

const generated = "generated";

const catalogue = (intro: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [intro, "", ...lines].join("\n");

const maxDescriptionCharacters = 1024;
const shorten = (text: string): string =>
  text.length > maxDescriptionCharacters ? `${text.slice(0, maxDescriptionCharacters)}…` : text;

const cutOf = ({ skills, skillsInAll = 0 }: PromptLayers): string =>
  skillsInAll > skills.length ? ` Showing ${skills.length} of ${skillsInAll}, those that fit this incident best.` : "";

const layer = (name: Tag, from: Layer | undefined, foreign?: Draft["foreign"]): Draft => ({
  name,
  source: from?.source ?? "",
  text: from?.text ?? "",
  foreign,
});

/**
 * The sections in the order of the prompt, for the provider's prefix cache: what is the same in every incident, then what is
 * the repository's, then servers, then what is this session's (INJ-1, INJ-2 and S13.5 say what is first and last).
 */
function draftSections(layers: PromptLayers): readonly Draft[] {
  const { instructions, rules, identity, protocol, planning, session, custom } = layers;
  const toolNames = layers.tools.map((tool) => tool.name);
  const made = (name: Tag, text: string, foreign?: Draft["foreign"]): Draft => ({
    name,
    source: generated,
    text,
    foreign,
  });
  return [
    layer("instructions", instructions),
    layer("rules", rules, "repo"),
    layer("identity", identity, "repo"),
    layer("protocol", protocol && { ...protocol, text: fillProtocol(protocol.text, layers) }),
    made("tools", catalogue("Tools you can call:", layers.tools.map(describeTool))),
    made("tool-guidelines", buildGuidelines(toolNames)),
    layer("planning", planning),
    made(
      "workflows",
      catalogue(
        "Workflows: prepared lists of commands, each proposed for approval as yours are.",
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
        `Use the \`use_skill\` tool to load a skill's full instructions when it fits.${cutOf(layers)}`,
        layers.skills.map((skill) => entry(skill.name, shorten(skill.description))),
      ),
      "repo",
    ),
    made("environment", describeEnvironment(layers.environment)),
    layer("session-instructions", session, "session"),
    layer("custom-instructions", custom),
  ];
}

/** Every tag of the prompt; in text of others none of them opens or closes anything. */
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

/**
 * Puts text that others wrote between tags that carry the session's nonce. A tag of the prompt, that tag, or the nonce
 * inside the text is broken, so the text can neither end its section nor pass for another (SR-39).
 */
export function wrapForeign(tag: Tag, options: { text: string; source: string; nonce: string }): string {
  const { text, source, nonce } = options;
  const safe = breakNonce(text.replace(anyTag, "&lt;"), nonce);
  return `<${tag} source="${attribute(source)}" nonce="${nonce}">\n${safe}\n</${tag} nonce="${nonce}">`;
}

const breakNonce = (text: string, nonce: string): string => text.replaceAll(nonce, `${nonce.slice(0, 2)}…`);

const attribute = (value: string): string => value.replace(/[\s"<>&]+/g, " ").trim();

const wrap = (draft: Draft, nonces: Pick<PromptLayers, "nonce" | "repoNonce">): string => {
  const text = draft.text.trim();
  if (draft.foreign === undefined) return `<${draft.name}>\n${text}\n</${draft.name}>`;
  const [nonce, other] = draft.foreign === "repo" ? [nonces.repoNonce, nonces.nonce] : [nonces.nonce, nonces.repoNonce];
  return wrapForeign(draft.name, { text: breakNonce(text, other), source: draft.source, nonce });
};

/**
 * The system prompt (OP-1, INJ-1, S13.1): one text of tagged sections, empty ones left out, always in the same order. Pure:
 * the same layers make the same text, and nothing that changes every turn (time, step, phase) belongs in it.
 */
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

/** Most texts are those of the prompt before: what is worked out of one is kept, of the newest so many (INJ-5). */
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

/** Instructions and rules again, in the order of the prompt, to be appended as a message in a long session (INJ-3). */
export function buildReminder(layers: Pick<PromptLayers, "nonce" | "repoNonce" | "instructions" | "rules">): string {
  const { instructions, rules } = layers;
  return [layer("instructions", instructions), layer("rules", rules, "repo")]
    .filter((draft) => draft.text.trim() !== "")
    .map((draft) => wrap(draft, layers))
    .join("\n\n");
}
