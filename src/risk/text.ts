/** The text itself, before it is parsed: controls, invisible and look-alike characters (SR-32, POLICY.md 1). */
import type { Finding } from "../base/types.ts";

/** `explain` takes this much; an action at most 2,000 bytes (SR-34). */
export const maxExplainLength = 20_000;

/** Characters a person cannot see, or that turn the text round. */
export const invisible =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the class lists single code points on purpose
  /[\u00a0\u0085\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding controls is the point
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f]/g;

export const codePoint = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The different code points of a text that match, named, in order. */
export const codePoints = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => codePoint(match[0]))),
];

export interface Cleaned {
  /** The texts to classify; the strictest counts. */
  readonly readings: readonly string[];
  readonly findings: readonly Finding[];
}

/** Line ends made plain; strange characters reported, and the text also read as it is without them. */
export function clean(command: string): Cleaned {
  const text = command.replaceAll("\r\n", "\n");
  const strange = [...codePoints(text, controls), ...codePoints(text, invisible)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no second reading
  if (strange.length === 0 && /^[\u0000-\u007f]*$/.test(text)) return { readings: [text], findings: [] };
  const bare = text.replace(controls, " ");
  const stripped = text.replace(controls, "").replace(invisible, "");
  const asSpace = bare.replace(/[\u2028\u2029\u0085]/g, "\n").replace(invisible, " ");
  const readings = [...new Set([strange.length > 0 ? asSpace : text, stripped, stripped.normalize("NFKC")])];
  if (strange.length === 0)
    return { readings: [text, text.normalize("NFKC")].slice(0, text.normalize("NFKC") === text ? 1 : 2), findings: [] };
  return {
    readings,
    findings: [
      {
        ruleId: "text.invisible",
        risk: "high",
        text: `holds characters that cannot be seen: ${strange.slice(0, 8).join(", ")}`,
      },
    ],
  };
}
