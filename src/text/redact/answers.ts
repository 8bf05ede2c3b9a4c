import { matchLines } from "./lines.ts";
import { nameKind } from "./names.ts";
import { isDrawn, isPublicId } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isSecretValue } from "./values.ts";

/** A command or an expression behind its prompt, and one word on the line below; interpreters write it with its quotes. */
const asked =
  /^[^\S\n]{0,8}(?:[\w@.:~/[\]()-]{1,60}(?: [\w@.:~/[\]()-]{1,60})? ?)?[$#>%❯]{1,3}[ \t]{1,4}([^\n]{4,400})\n(?:=> )?(?:"([^"\n]{4,4000})"|'([^'\n]{4,4000})'|([^\s"'{}[\]]{5,4000}))[ \t]*(?=\n|$)/my;

/** Nothing more is answered: the end, a blank line or the next prompt. */
const ends = /(?:\s*$|\n[ \t]*\n|\n[^\n]{0,60}[$#>%❯](?:\s|$))/y;

/** What prints the thing it is asked for; what lists, counts or makes something prints its name or id. */
const getter =
  /(?<![\w-])(?:get|show|read|reveal|print|printenv|echo|output|access|decrypt|jq|yq|lookup|field)(?![\w-])|(?<=\s)token$|config:get|-raw\b|-field\b|--plain\b|base64 (?:-d|-D|--decode)/i;

const namesSecret = (command: string): boolean =>
  (command.match(/[A-Za-z_][\w-]{1,80}/g) ?? []).some((one) => nameKind(one) === "strong");

/** No file, object or time that is named after a secret. */
const isAnswer = (word: string): boolean =>
  isSecretValue(word, "strong") &&
  /[A-Za-z\d]/.test(word) &&
  isDrawn(word) &&
  !isPublicId(word) &&
  !/^[\w-]+\.[a-z]{2,5}$|\/.*[./-]/.test(word);

/** The one word that a command answers which asks for a secret by name. */
export const findAnswers: Find = (text, watch) => {
  const spans: Span[] = [];
  matchLines(text, [asked], (match) => {
    watch?.();
    const [whole, command = "", ...answers] = match;
    const answer = answers.find((one) => one !== undefined) ?? "";
    const isQuoted = answers[2] === undefined;
    const end = match.index + whole.length;
    ends.lastIndex = end;
    if (!(isQuoted || getter.test(command)) || !isAnswer(answer) || !ends.test(text) || !namesSecret(command)) return;
    const start = text.indexOf(answer, match.index + whole.indexOf("\n") + 1);
    spans.push({ start, end: start + answer.length });
  });
  return spans;
};
