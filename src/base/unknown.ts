/** Why a run is UNKNOWN (RR-06): it may have run, and is never repeated. docs/on-call.md and `/explain` show these rows. */
export const unknownReasons = {
  "bot-failed": {
    says: "The bot failed while this was on its way.",
    next: "look at the server; the operator's log has the error",
  },
  "bot-stopped": {
    says: "The bot stopped while this was on its way, so its result is unknown.{check}",
    next: "look at the server, or run the read that it names",
  },
  "bot-stopped-command": {
    says: "The bot was stopped while this ran; it keeps running on the server.",
    next: "look for its process on the server",
  },
  "bot-stopped-kubectl": {
    says: "The bot was stopped while this ran, and kubectl with it.{check}",
    next: "run the read that it names",
  },
  "bot-stopped-question": {
    says: "The bot was stopped while it waited for the answer.",
    next: "ask again if it only reads; else look at what it acts on",
  },
  "bot-stopped-job": {
    says: "the bot was stopped while it ran, and on the server it goes on; {where}",
    next: "look at the files that it names",
  },
  "store-put-back": {
    says: "An older copy of the bot's store was put back, so it is not known whether this was sent there.",
    next: "look at the server, and at the issue's comments from before",
  },
  "change-not-confirmed": {
    says: "{what}, so it is not known whether the change was made.{check}",
    next: "run the read that it names",
  },
  "call-not-confirmed": {
    says: "{what}, so it is not known what it did.",
    next: "look at what the tool acts on",
  },
  "patch-not-confirmed": {
    says: "{what}, so it is not known whether the pull request was made; its branch is {branch}",
    next: "look for that branch in the repository",
  },
  "start-not-confirmed": {
    says: "{server} {how} before it confirmed the command",
    next: "look at the server: it may not have begun",
  },
  "end-not-seen": {
    says: "{how} before the command's end was told",
    next: "look at the server: it may still run",
  },
  "end-not-told": {
    says: "the server did not say how the command ended",
    next: "look at the server",
  },
  "stop-not-seen": {
    says: "{lost}, while it was being stopped",
    next: "look for its process on the server",
  },
  "job-not-followed": {
    says: "{lost}; {where}",
    next: "look at the files that it names: the job may still run",
  },
  "job-forgotten": {
    says: "the server has forgotten it since it was sent; {where}",
    next: "look at the server for what the command would have changed",
  },
  "job-not-looked-for": {
    says: "the server could not look for it ({why}); {where}",
    next: "make room on the server if its disk is full, then look at the files that it names",
  },
  "job-lost-in-restart": {
    says: "the server was restarted while it ran; {where}",
    next: "look how far it came: nothing of it runs any more",
  },
  "job-killed": {
    says: "it was ended together with what watched it; {where}",
    next: "look how far it came: nothing of it runs any more",
  },
  "job-folder-gone": {
    says: "its folder on the server is gone; {where}",
    next: "look at the server for what the command would have changed",
  },
} as const;

type UnknownCode = keyof typeof unknownReasons;
type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueNames<Rest>
  : never;
type ValuesOf<Code extends UnknownCode> = Readonly<Record<ValueNames<(typeof unknownReasons)[Code]["says"]>, string>>;

/** A sentence of the table: only `whyUnknown` makes one, so the compiler proves that the table is complete. */
export type UnknownSentence = string & { readonly of: "unknownReasons" };

/** Fills a reason's sentence. */
export function whyUnknown<Code extends UnknownCode>(code: Code, values: ValuesOf<Code>): UnknownSentence {
  const given: Readonly<Record<string, string>> = values;
  const sentence = unknownReasons[code].says.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? "");
  return sentence as UnknownSentence;
}

export const endUnknown = <Code extends UnknownCode>(code: Code, values: ValuesOf<Code>) =>
  ({ kind: "unknown", reason: whyUnknown(code, values) }) as const;

type UnknownReason = (typeof unknownReasons)[UnknownCode];

/** The row that a sentence was made from; if several fit, the one with the most words of its own. */
export const findUnknownReason = (sentence: string): UnknownReason | undefined =>
  Object.values(unknownReasons)
    .filter(({ says }) => {
      // Linear in the sentence, because a server or a tool may have written half of it.
      const [first = "", ...others] = ownParts(says);
      const last = others.pop();
      if (last === undefined) return sentence === first;
      if (!sentence.startsWith(first)) return false;
      let at = first.length;
      for (const part of others) {
        const found = sentence.indexOf(part, at);
        if (found < 0) return false;
        at = found + part.length;
      }
      return sentence.length - last.length >= at && sentence.endsWith(last);
    })
    .toSorted((one, other) => ownLength(other) - ownLength(one))[0];

const ownParts = (says: string): readonly string[] => says.split(/\{\w+\}/);
const ownLength = ({ says }: UnknownReason): number => ownParts(says).join("").length;
