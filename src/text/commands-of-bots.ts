/**
 * How a line starts that some bot would take for its command (SR-43): ours and Prow's `/word`, of which some want no blank behind
 * them, a mention, branch-deploy's `.word`, Atlantis, bors, Jenkins' phrases, `!word` of chat bots. `/dev/vda1` and `.bashrc:` are none.
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

/** True where a bot could read this line as a command. */
export const isBotCommand = (line: string): boolean => commandStart.test(line);

/** What stands before such a line instead; visible, so that nobody takes the line for what was written. */
export const guardMark = "│ ";

/** The text with a visible mark before each line that a bot could read as a command. */
export const guardLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (isBotCommand(line) ? guardMark + line : line))
    .join("\n");

/** Breaks what another run of this bot could take for its own hidden marker. */
export const breakMarkers = (text: string): string => text.replace(/<!--(?=\s*countersign)/gi, "<! --");
