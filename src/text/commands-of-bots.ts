/**
 * The start of a line that some bot reads as its command (SR-43): this bot's and Prow's `/word`, some without a space after it, a mention,
 * branch-deploy's `.word`, Atlantis, bors, Jenkins' phrases, `!word` of chat bots. `/dev/vda1` and `.bashrc:` are none.
 */
const commandStart = new RegExp(
  String.raw`^\s*(?:${[
    String.raw`[/.!][a-z][\w-]*(?!\S)`,
    `/(?:remove-)?(?:area|committee|kind|label|language|priority|sig|triage|wg)`,
    String.raw`\.(?:deploy|noop|lock|unlock|help|wcid|stop)`,
    String.raw`@\w`,
    String.raw`(?:atlantis|bors|bros|homu|jenkins)(?![^\s:,])`,
    String.raw`(?:test this|retest|ok to test|add to whitelist)\b`,
  ].join("|")})`,
  "i",
);

export const isBotCommand = (line: string): boolean => commandStart.test(line);

/** The mark before such a line; it is visible, so that the line does not look like the original. */
export const guardMark = "│ ";

export const guardLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (isBotCommand(line) ? guardMark + line : line))
    .join("\n");

/** Breaks text that the bot could read as its own hidden marker. */
export const breakMarkers = (text: string): string => text.replace(/<!--(?=\s*countersign)/gi, "<! --");
