/** What the last line of a terminal asks for. A pager is left with `q`; a question ends the run (AR-07). */
export type Waiting = { readonly kind: "pager" } | { readonly kind: "question"; readonly asks: string };

const pager =
  /^(?:\(END\)|--\s?More\s?--(?:\s?\(\d{1,3}%\))?|lines \d+-\d+(?:\/\d+)?(?: \(END\)| \d{1,3}%)?|:|Manual page .{1,80} line \d+.{0,80}|\S{1,200} \(END\))$/;
const question =
  /(?:(?:password|passphrase|PIN|verification code|OTP)[^\n]{0,60}:|\[y\/n\]|\(y(?:es)?\/no?(?:\/[^)]{0,40})?\)|\[yes\/no\]|\(y or n\)|(?:continue|proceed|are you sure)[^\n]{0,60}\?|press (?:any key|enter|return)[^\n]{0,60})[:?]?$/i;

/** Reads the end of what a terminal showed, escape sequences and all. Pure; `undefined` where nothing waits. */
export function detectWaiting(shown: string): Waiting | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is taken out here
  const text = shown.slice(-4096).replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|[^[])/g, "");
  const line = (text.split(/[\r\n]/).at(-1) ?? "").trim();
  if (line === "") return undefined;
  if (pager.test(line)) return { kind: "pager" };
  return question.test(line) ? { kind: "question", asks: line.replace(/[^\x20-\x7e]+/g, "?").slice(-200) } : undefined;
}
