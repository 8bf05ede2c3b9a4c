import { nearest } from "../base/problems.ts";

/** What a slash command is called and how it is written (docs/on-call.md). */
export interface Verb {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** e.g. `/approve 1 2 [why]` */
  readonly usage: string;
}

/** Every verb; the file in `src/commands/` that bears its name carries it out. */
export const verbs = {
  approve: { verb: "approve", usage: "/approve 1 2" },
  reject: { verb: "reject", usage: "/reject 2 [why]", aliases: ["deny"] },
  edit: { verb: "edit", usage: "/edit 2" },
  fill: { verb: "fill", usage: "/fill 2 pod=cart-7f9" },
  run: { verb: "run", usage: "/run <server>" },
  ask: { verb: "ask", usage: "/ask [question or letter]" },
  retry: { verb: "retry", usage: "/retry 2 3" },
  answer: { verb: "answer", usage: "/answer q1 yes" },
  cancel: { verb: "cancel", usage: "/cancel 2 [web-1]" },
  continue: { verb: "continue", usage: "/continue 2" },
  wait: { verb: "wait", usage: "/wait 2 [10m]" },
  output: { verb: "output", usage: "/output 2 [tail 50]" },
  verify: { verb: "verify", usage: "/verify" },
  probe: { verb: "probe", usage: "/probe 2" },
  explain: { verb: "explain", usage: "/explain 2" },
  hold: { verb: "hold", usage: "/hold [all] [--kill]", aliases: ["stop"] },
  resume: { verb: "resume", usage: "/resume [all]" },
  status: { verb: "status", usage: "/status" },
  whoami: { verb: "whoami", usage: "/whoami" },
  servers: { verb: "servers", usage: "/servers" },
  oncall: { verb: "oncall", usage: "/oncall" },
  skills: { verb: "skills", usage: "/skills" },
  workflow: { verb: "workflow", usage: "/workflow name key=value" },
  plan: { verb: "plan", usage: "/plan" },
  lease: { verb: "lease", usage: "/lease 15m web-1 [20]" },
  auto: { verb: "auto", usage: "/auto on" },
  changes: { verb: "changes", usage: "/changes [2h]" },
  handover: { verb: "handover", usage: "/handover @bob" },
  pillar: { verb: "pillar", usage: "/pillar revive" },
  feedback: { verb: "feedback", usage: "/feedback up|down [note]" },
  close: { verb: "close", usage: "/close [cause]" },
  investigate: { verb: "investigate", usage: "/investigate [note]" },
  prompt: { verb: "prompt", usage: "/prompt show" },
  key: { verb: "key", usage: "/key add" },
  help: { verb: "help", usage: "/help" },
} as const satisfies Readonly<Record<string, Verb>>;

const all: readonly Verb[] = Object.values(verbs);

/** Returns the verb of that name, or of which it is another name. */
export const verbNamed = (name: string): Verb | undefined =>
  all.find(({ verb, aliases }) => verb === name || aliases?.includes(name));

/** What other bots and programs call the same; too far from our names to be taken for a slip. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["unhold", verbs.resume.verb],
  ["unpause", verbs.resume.verb],
  ["abort", verbs.cancel.verb],
  ["kill", verbs.cancel.verb],
  ["exec", verbs.run.verb],
  ["resolve", verbs.close.verb],
]);

/** Returns the name that was probably meant; undefined where none is near, since other bots have commands of their own. */
export const nearestVerb = (name: string): string | undefined =>
  otherWords.get(name) ??
  nearest(
    name,
    all.flatMap(({ verb, aliases = [] }) => [verb, ...aliases]),
  );

/** Whether a name is ours or nearly ours; at every other one we are silent. */
export const isMeantForUs = (name: string): boolean => verbNamed(name) !== undefined || nearestVerb(name) !== undefined;

/** Whether a command is given with the numbers of proposed commands. */
export const takesNumbers = ({ usage }: Pick<Verb, "usage">): boolean => / \d/.test(usage);
