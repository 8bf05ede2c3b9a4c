import { describe, expect, it } from "vitest";
import { createCapture } from "../../../src/ssh/capture.ts";
import { createDraft } from "../../../src/store/outputs.ts";
import { createExcerpt, presentPieces } from "../../../src/text/output.ts";
import { readOutput } from "../../../src/text/page.ts";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();
const limit = 600;
const cap = 8_000;

/** Each with what must not be seen of it: any stretch of so many characters in a row. */
const token = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
const password = "correct-Horse7battery";
const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `${"MIIEvQIBADANBgkqhkiG9w0".slice(at % 5)}${"Ab9Zx".repeat(9)}`).join("\n");
const secrets = {
  "a token": { text: `using ${token} now`, hidden: token },
  "a password": { text: `db_password=${password} rest`, hidden: password },
  "a URL": { text: `see postgres://app:${password}@db-1/shop for it`, hidden: password },
  "a private key": {
    text: `-----BEGIN RSA PRIVATE KEY-----\n${lines(12)}\n-----END RSA PRIVATE KEY-----`,
    hidden: lines(12),
  },
};

/** Eight characters in a row of a secret are a part of it. */
const partLength = 8;
function shownOf(hidden: string, seen: string): string | undefined {
  for (let at = 0; at + partLength <= hidden.length; at++) {
    const part = hidden.slice(at, at + partLength);
    if (!part.includes("\n") && seen.includes(part)) return part;
  }
  return undefined;
}

const words = ["fine", "order", "accepted", "page", "served", "from", "cache", "slowly"];
/** Text of exactly so many characters in lines, or on one. */
function filler(length: number, separator: string): string {
  let text = "";
  for (let at = 0; text.length < length; at++)
    text += `${words[at % words.length]} ${at}${at % 6 === 5 ? separator : " "}`;
  return text.slice(0, length);
}

/** A server's output on its way to people: captured with a small cap, presented, excerpted, stored in parts, read in pages. */
async function everythingShown(output: string, chunkLength: number): Promise<string[]> {
  const sink = createCapture(cap);
  const bytes = Buffer.from(output);
  for (let at = 0; at < bytes.length; at += chunkLength) sink.push(bytes.subarray(at, at + chunkLength));
  const capture = sink.finish();
  const excerpt = createExcerpt({ limit, more: "/output 1", redact });
  const draft = createDraft({ transaction: () => Promise.reject(new Error("nothing is written")) }, "run");
  for (const piece of presentPieces(capture, redact)) {
    if (!piece.ok) throw new Error(piece.reason);
    excerpt.push(piece.text);
    await draft.push(piece.text);
  }
  const stored = draft.rest().map((part) => part.text);
  const shown = excerpt.finish();
  if ("withheld" in shown) throw new Error(shown.withheld);
  async function* parts() {
    yield* stored;
  }
  const pages = await Promise.all(
    [1, 2, 3].map(async (page) => (await readOutput(parts(), { kind: "page", page }, limit)).text),
  );
  const tail = await readOutput(parts(), { kind: "tail", lines: 5 }, limit);
  return [shown.text, ...stored, ...pages, tail.text];
}

describe.each(Object.entries(secrets))("SR-46 %s is never shown in part", (_, { text, hidden }) => {
  const around = text.length + 4;
  // Any cut leaves a part of some length on one side: a cut in every fifth place finds what one in each would.
  const steps = text.length > 200 ? 29 : 5;
  const offsets = Array.from({ length: Math.ceil(around / steps) }, (_, step) => step * steps);

  it.each([
    ["lines", "\n"],
    ["one line", " "],
  ])(
    "at any place of the gap of a capture, before and behind it, in %s",
    { tags: ["long"] },
    async (_name, separator) => {
      const join = text.includes("\n") ? "\n" : separator;
      for (const offset of offsets) {
        // Before: the head ends inside of it. Behind: the tail begins inside of it.
        const begin = filler(cap / 2 - offset, separator);
        const before = `${begin}${join}${text}${join}${filler(20_000, separator)}`;
        const end = filler(cap / 2 - around + offset, separator);
        const behind = `${filler(20_000, separator)}${join}${text}${join}${end}`;
        for (const output of [before, behind]) {
          for (const seen of await everythingShown(output, 1_000)) expect(shownOf(hidden, seen)).toBeUndefined();
        }
      }
    },
  );

  const isOneLine = !text.includes("\n");
  if (isOneLine)
    it("at any place of the cut beside the gap of an output of one line", () => {
      const far = 16 * 1024;
      for (const offset of offsets) {
        const head = `${filler(20_000, " ")} ${text} ${filler(far - offset, " ")}`;
        const tail = `${filler(far - around + offset, " ")} ${text} ${filler(20_000, " ")}`;
        const both = { head: Buffer.from(head), tail: Buffer.from(tail), bytes: 1e6 + head.length + tail.length };
        const pieces = [...presentPieces({ ...both, dropped: 1e6, sha256: "" }, redact)];
        const seen = pieces.map((piece) => (piece.ok ? piece.text : piece.reason)).join("");
        expect(seen).toContain("bytes in the middle were not kept");
        expect(seen.length).toBeGreaterThan(35_000);
        expect(shownOf(hidden, seen)).toBeUndefined();
      }
    });

  it("at any place of the cut of an excerpt, of a page and of a chunk", { tags: ["long"] }, async () => {
    for (let offset = 0; offset < limit + around; offset += steps) {
      const output = `${filler(offset, "\n")}\n${text}\n${filler(2_000, "\n")}\n${text}\n${filler(limit - (offset % limit), "\n")}`;
      for (const seen of await everythingShown(output, 97 + (offset % 13)))
        expect(shownOf(hidden, seen)).toBeUndefined();
    }
  });
});
