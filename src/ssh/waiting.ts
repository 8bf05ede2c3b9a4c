/** An unfinished last line that waits for a key; a question ends the run (AR-07). */
export interface WaitingPrompt {
  readonly kind: "pager" | "question";
  readonly asks: string;
}

interface PromptShape {
  readonly kind: WaitingPrompt["kind"];
  /** Must match no line of a working program. */
  readonly line: RegExp;
}

const more = "more|mehr|fortsetzung|suite|más|mais|altro|continua";
const secret =
  "password|passphrase|pass phrase|passcode|pin|(?:verification|authentication|one-time|security|two-factor) code|otp|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord";
const asking =
  "are you sure|do you (?:want|wish|really)|would you like|continue|proceed|overwrite|replace|remove|override|delete|really|shall|is this (?:ok|correct)|ok to";
const yes = "(?=[^\\n]{0,60}\\b(?:y(?:es)?|j)\\b)(?=[^\\n]{0,60}(?:\\bno?\\b|/))";

/** A pager's line may also look like a question. */
const shapes: readonly PromptShape[] = [
  // less, also below systemctl, git, psql and man
  { kind: "pager", line: /^(?:(?:\S{1,200} )?\(END\)|:)$/ },
  { kind: "pager", line: /^(?:\S{1,200} )?lines \d+-\d+(?:\/\d+)?(?: \(END\)| \d{1,3}%)?$/ },
  { kind: "pager", line: /^(?:Manual page .{1,80} line \d+.{0,80}|HELP -- Press RETURN for more, or q when done)$/ },
  { kind: "pager", line: /^(?:.{0,200} {2})?\(press RETURN\)$/ },
  // more, and appliances
  {
    kind: "pager",
    line: new RegExp(
      `^<?-{2,5} {0,2}\\(?(?:${more})(?: \\d{1,3}%)?\\)? {0,2}(?:\\([^()]{1,40}\\) ?)?-{2,5}>?(?:\\([^()]{1,60}\\))?(?:\\[[^\\]]{1,60}\\])?$`,
      "i",
    ),
  },
  { kind: "pager", line: /^(?:\(EOF\):|<SPACE> next page; <CR> next line; Q quit)$/ },
  // a secret; but "Changing password for x:" is a program at work
  {
    kind: "question",
    line: new RegExp(
      `^(?!\\W{0,4}\\w{1,40}ing )[^\\n]{0,120}(?<![a-z])(?:${secret})(?: (?:for|of|de|für|para|again|or option)(?![a-z])[^\\n]{0,120}| \\([^)]{1,60}\\)[^\\n]{0,60})? ?:$`,
      "i",
    ),
  },
  { kind: "question", line: /^\[sudo\] [^\n]{1,120}:$/ },
  // yes or no
  {
    kind: "question",
    line: new RegExp(
      `(?:\\(${yes}[^()\\n]{2,60}\\)|\\[${yes}[^[\\]\\n]{2,60}\\])(?: ?\\[[^\\]\\n]{1,30}\\])?[ ?:>]{0,4}$`,
      "i",
    ),
  },
  { kind: "question", line: /<[yn]>\?$|^\[More\]$/ },
  { kind: "question", line: /\(default is "[^"\n]{1,20}"\):$|\([A-Z] = \w{1,20}(?:, [A-Z] = \w{1,20}){1,4}\)\?$/ },
  { kind: "question", line: new RegExp(`(?:^|[ :.!,;])(?:${asking})\\b[^\\n]{0,200}\\?(?: \\(y\\))?$`, "i") },
  {
    kind: "question",
    line: /\b(?:press|hit|strike) (?:(?:any|a|the) )?[[<]?(?:key|enter|return|space)\b[^\n]{0,80}$/i,
  },
  {
    kind: "question",
    line: /^(?:Drücken Sie eine beliebige Taste|Appuyez sur une touche|Presione una tecla)[^\n]{0,60}$/,
  },
  { kind: "question", line: /^--Man-- next: [^\n]{1,160}\]$/ },
  // a name, a number, a choice
  {
    kind: "question",
    line: /^(?:\S{1,64} )?(?:login|username|login name|user ?id|name)(?: (?:as|for|on)\b[^\n]{0,120}| \([^)\n]{1,80}\))? ?:$/i,
  },
  {
    kind: "question",
    line: /^\W{0,4}(?:please )?(?:enter|type|choose|select|specify|pick|provide|your (?:choice|selection|answer)|selection|choice)\b[^\n]{0,160}[:?>]$/i,
  },
  { kind: "question", line: /^[A-Z][^\n]{0,80} \([^)\n]{3,60}\) \[[^\]\n]{0,60}\]:$/ },
  // an interpreter
  {
    kind: "question",
    line: /^(?:(?:mysql|sqlite|sftp|l?ftp|SQL|MariaDB \[[^\]\n]{1,60}\]|\d{1,3}(?:\.\d{1,3}){3}:\d{1,5}(?:\[\d+\])?)>|[a-z_][\w-]{0,62}=[#>]|>>>|\((?:gdb|Pdb|lldb)\))$/,
  },
];

const lookAtCharacters = 4096;
const lineMaxCharacters = 400;

/** Reads the end of the output; undefined if nothing waits. `isPaging`: after less's warning its first prompt is a bare file name. Pure. */
export function detectWaiting(shown: string, isPaging = false): WaitingPrompt | undefined {
  const end = shown.slice(-lookAtCharacters);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is taken out here
  const text = end.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^[\]])/g, "");
  const line = (text.split(/[\r\n]/).at(-1) ?? "").replace(/[^\P{Cc}\t]/gu, "").trim();
  if (line === "" || line.length > lineMaxCharacters) return undefined;
  const asks = line.replace(/[^\P{C}]/gu, "?").slice(-2_000);
  // Only less's first prompt ends so: the file name in reverse, the rest of the line cleared. On an unknown terminal less first warns and
  // waits for a key, also `q`.
  const warns = /terminal is not fully functional\s{1,4}Press RETURN to continue $/.test(end);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is looked for
  if (warns || /[\r\n\x1b]\[?[\w?]{0,8}\x1b\[7m[^\x1b\r\n]{1,200}\x1b\[(?:27)?m\x1b\[K$/.test(end))
    return { kind: "pager", asks };
  const shape = shapes.find((each) => each.line.test(line));
  if (!shape && isPaging && /^\S{1,200}$/.test(line)) return { kind: "pager", asks };
  return shape && { kind: shape.kind, asks };
}
