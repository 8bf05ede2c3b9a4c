/**
 * How a line starts that some bot would take for its command (SR-43): ours and Prow's `/word`, a mention,
 * branch-deploy's `.word`, Atlantis, bors, Jenkins' phrases, `!word` of chat bots.
 */
const commandStart =
  /^\s*(?:\/\w|@\w|\.[a-z]|![a-z]|(?:atlantis|bors|homu|jenkins|test this|retest|ok to test|add to whitelist)\b)/i;

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
