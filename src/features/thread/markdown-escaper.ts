import type { Markdown } from "../../github/render/ink.ts";
import { redactText } from "../../text/bare.ts";
import { brief, code, exact, fence, htmlCode, note, plain } from "../../text/fence.ts";
import { writeLink } from "../../text/links.ts";
import { memoized } from "../../text/memo.ts";
import { prose, proseWords } from "../../text/prose.ts";
import type { Redact } from "../../text/redact.ts";

/** Writes untrusted text for people, without secrets (SR-45). */
export function createMarkdown(redact: Redact): Markdown {
  const write = memoized((given) => {
    const [blobUrl, text] = [given.slice(0, given.indexOf("\n")), given.slice(given.indexOf("\n") + 1)];
    const written = prose(text, { blobUrl: blobUrl || undefined });
    return { written, words: proseWords(written) };
  });
  return {
    fence: (text, info) => fence(redactText(redact, text), info),
    command: (text, info) => exact(redactText(redact, text), info),
    plain: (text) => plain(redactText(redact, text)),
    note: (text) => note(redactText(redact, text)),
    code: (text) => code(redactText(redact, text)),
    htmlCode: (text) => htmlCode(redactText(redact, text)),
    brief: (text) => brief(redactText(redact, text)),
    link: (words, url) => writeLink(plain(redactText(redact, words)), redactText(redact, url)),
    prose: (markdown, blobUrl = "") => {
      // In each call, because the known secrets may change.
      const { written, words } = write(`${blobUrl}\n${redactText(redact, markdown)}`);
      const known = redactText(redact, words);
      // Marks inside a secret hide it from the redactor but not from readers.
      return known === words ? written : prose(known.split("\n").map(plain).join("\n"));
    },
  };
}
