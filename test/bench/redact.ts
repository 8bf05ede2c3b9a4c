import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { createRedactor } from "../../src/text/redact.ts";
import { hostile } from "../text/redact/hostile.ts";
import { redactByGitleaks } from "../text/redact/peers/gitleaks.ts";
import { loadSecretlint } from "../text/redact/peers/secretlint.ts";
import type { Row } from "./row.ts";

type Labelled = {
  readonly kind: "secret" | "benign";
  readonly text: string;
  readonly secrets: readonly string[];
  readonly keep: readonly string[];
};
type Hide = (text: string) => string | Promise<string>;
type Peer = { readonly name: string; readonly hide: Hide | undefined };

const records: readonly Labelled[] = ["redaction", "redaction-2", "redaction-3"].flatMap((name) =>
  readFileSync(new URL(`../data/${name}.jsonl`, import.meta.url), "utf8")
    .replaceAll("\u2042", "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line)),
);
const secret = records.filter(({ kind }) => kind === "secret");
const benign = records.filter(({ kind }) => kind === "benign");

/** Ten megabytes of what logs look like: the benign records, with one in fifty that holds secrets. */
function log(): string {
  const parts: string[] = [];
  for (let size = 0, at = 0; size < 10_000_000; at++) {
    const { text = "" } = (at % 50 === 0 ? secret[at % secret.length] : benign[at % benign.length]) ?? {};
    parts.push(text);
    size += text.length + 1;
  }
  return parts.join("\n");
}

/** Recall, harmless text left alone, context kept, MB/s and the worst seconds a megabyte, beside two others. */
export async function run(): Promise<Row[]> {
  const redact = createRedactor({ secrets: ["correct-horse-battery-staple"] });
  const ours: Hide = (text) => {
    const redacted = redact(text);
    return redacted.ok ? redacted.text : "";
  };
  const peers: readonly Peer[] = [
    { name: "gitleaks' rules in JavaScript", hide: redactByGitleaks },
    { name: "@secretlint/core@13.0.7", hide: await loadSecretlint() },
  ];
  const text = log();
  const rows: Row[] = [];
  for (const { name, hide } of peers) {
    const row = async (
      title: string,
      unit: string,
      better: "higher" | "lower",
      measure: (by: Hide) => Promise<number>,
    ) => {
      const [our, their] = [await measure(ours), hide ? await measure(hide) : null];
      const ratio = their === null || our === 0 || their === 0 ? null : better === "higher" ? our / their : their / our;
      rows.push({ case: title, unit, ours: our, peer: their, peerName: name, ratio, better, runs: 1 });
    };
    const share = (of: readonly Labelled[], passes: (one: Labelled, out: string) => boolean) => async (by: Hide) => {
      let passed = 0;
      for (const one of of) if (passes(one, await by(one.text))) passed++;
      return (100 * passed) / of.length;
    };
    await row(
      `records without a secret left (${secret.length})`,
      "%",
      "higher",
      share(secret, (one, out) => !one.secrets.some((s) => out.includes(s))),
    );
    await row(
      `benign records intact (${benign.length})`,
      "%",
      "higher",
      share(benign, (one, out) => out === one.text),
    );
    await row(
      `context kept (${secret.length})`,
      "%",
      "higher",
      share(secret, (one, out) => one.keep.every((k) => out.includes(k))),
    );
    await row(
      "a log of 10 MB",
      "MB/s",
      "higher",
      async (by) => 1 / (await secondsPerMegabyte(by, by === ours ? text : text.slice(0, 1_000_000))),
    );
    for (const [title, input] of Object.entries(hostile))
      await row(`hostile: ${title}`, "s/MB", "lower", (by) =>
        secondsPerMegabyte(by, by === ours ? input : input.slice(0, 20_000)),
      );
  }
  return rows;
}

/** The peers get less of it: their time grows with the square of some of these texts. */
async function secondsPerMegabyte(by: Hide, text: string): Promise<number> {
  const begin = performance.now();
  await by(text);
  return (performance.now() - begin) / 1000 / (text.length / 1e6);
}
