/**
 * What bots read as a command (SR-43): `/word` of this bot and Prow, some without a space after it, mentions, branch-deploy's `.word`,
 * Atlantis, bors, Jenkins' phrases, chat bots' `!word`; not `/dev/vda1` or `.bashrc:`.
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

/** Visible, because the line is no longer the original. */
export const guardMark = "│ ";

export const guardLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (isBotCommand(line) ? guardMark + line : line))
    .join("\n");

/** Breaks text that looks like the bot's hidden marker. */
export const breakMarkers = (text: string): string => text.replace(/<!--(?=\s*countersign)/gi, "<! --");
