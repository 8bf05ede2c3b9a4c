import type { Ink } from "../../github/render/ink.ts";
import { bare } from "../../text/bare.ts";
import { brief, code, exact, fence, note, plain } from "../../text/fence.ts";
import { writeLink } from "../../text/links.ts";
import { memoized } from "../../text/memo.ts";
import { prose, wordsOf } from "../../text/prose.ts";
import type { Redact } from "../../text/redact.ts";

/** What people read is written with these (`src/text/`); whatever goes through them leaves its secrets behind (SR-45). */
export function createInk(redact: Redact): Ink {
  const write = memoized((given) => {
    const [blobUrl, text] = [given.slice(0, given.indexOf("\n")), given.slice(given.indexOf("\n") + 1)];
    const written = prose(text, { blobUrl: blobUrl || undefined });
    return { written, words: wordsOf(written) };
  });
  return {
    fence: (text, info) => fence(bare(redact, text), info),
    command: (text, info) => exact(bare(redact, text), info),
    plain: (text) => plain(bare(redact, text)),
    note: (text) => note(bare(redact, text)),
    code: (text) => code(bare(redact, text)),
    brief: (text) => brief(bare(redact, text)),
    link: (words, url) => writeLink(plain(bare(redact, words)), bare(redact, url)),
    prose: (markdown, blobUrl = "") => {
      // What is known as a secret may change, so that is looked for each time; how a text is written does not.
      const { written, words } = write(`${blobUrl}\n${bare(redact, markdown)}`);
      const known = bare(redact, words);
      // Marks inside of a secret hide it from the redactor and not from a reader: then the words go without any.
      return known === words ? written : prose(plainLines(known));
    },
  };
}

const plainLines = (text: string): string => text.split("\n").map(plain).join("\n");
