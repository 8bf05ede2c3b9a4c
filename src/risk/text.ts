/** The text itself, before it is parsed: controls, invisible and look-alike characters (SR-32). */
import { codePoints, invisible } from "../base/invisible.ts";
import type { Finding } from "../base/risk.ts";

/** `explain` takes this much; an action at most 2,000 bytes (SR-34). */
export const maxExplainLength = 20_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding controls is the point
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f]/g;

export interface CleanedText {
  /** The texts to classify; the strictest counts. */
  readonly readings: readonly string[];
  readonly findings: readonly Finding[];
}

/** Line ends made plain; strange characters reported, and the text also read as it is without them. */
export function cleanCommand(command: string): CleanedText {
  const text = command.replaceAll("\r\n", "\n");
  const strange = [...codePoints(text, controls), ...codePoints(text, invisible)];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no second reading
  if (strange.length === 0 && /^[\u0000-\u007f]*$/.test(text)) return { readings: [text], findings: [] };
  const bare = text.replace(controls, " ");
  const stripped = text.replace(controls, "").replace(invisible, "");
  const asSpace = bare.replace(/[\u2028\u2029\u0085]/g, "\n").replace(invisible, " ");
  const readings = [...new Set([strange.length > 0 ? asSpace : text, stripped, stripped.normalize("NFKC")])];
  if (strange.length === 0) return { readings, findings: [] };
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
