import { createRedactor } from "../../src/text/redact.ts";
import { hostile } from "../text/redact/hostile.ts";
import { type LimitedPeer, startPeer } from "../text/redact/peers/limited.ts";
import { loadSecretlint } from "../text/redact/peers/secretlint.ts";
import { type Labelled, logOf, realisticLog, recordsOf } from "./redact-log.ts";
import type { Row } from "./row.ts";

/** The peers get less of a text: the time of some grows with the square of it. */
const peerLogBytes = 500_000;
const peerHostileBytes = 100_000;
/** After so long a peer is stopped; a row says so. */
const peerLimitMs = 1000;
const peerLogLimitMs = 15_000;

/** How dense the log of 10 MB is: one line in so many is a record with secrets. */
const oneIn = 100;

type Outcome = { readonly value: number; readonly note: string };
/** What one redactor does with a text; nothing where it took too long. */
type Hide = (text: string, limitMs: number) => Promise<{ readonly text: string; readonly cpuMs: number } | undefined>;
type Case = {
  readonly title: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
  readonly measure: (hide: Hide, isPeer: boolean) => Promise<Outcome>;
};

const shared = recordsOf("redaction");
const further = [...recordsOf("redaction-2"), ...recordsOf("redaction-3")];
const holding = (records: readonly Labelled[]): readonly Labelled[] => records.filter(({ kind }) => kind === "secret");

const cases: readonly Case[] = [
  ...scores("redaction.jsonl", shared),
  ...scores("redaction-2 and -3", further),
  speed(`10 MB log, a secret on 1 line in ${oneIn}`, realisticLog(holding([...shared, ...further]), oneIn)),
  speed("10 MB of labelled records, two in three secret", logOf([...shared, ...further])),
  speed("10 MB log, secrets on every line", logOf(holding([...shared, ...further]))),
  ...Object.entries(hostile).map(
    ([title, text]): Case => ({
      title: `hostile: ${title}`,
      unit: "s/MB",
      better: "lower",
      measure: (hide, isPeer) => secondsPerMegabyte(hide, isPeer ? text.slice(0, peerHostileBytes) : text, peerLimitMs),
    }),
  ),
];

/**
 * Recall, harmless text left alone, context kept, MB/s and the seconds a megabyte of hostile text, beside gitleaks' rules and
 * secretlint. Times are the processor's, so that a busy machine tells the same.
 */
export async function run(): Promise<Row[]> {
  const redact = createRedactor({ secrets: ["correct-horse-battery-staple"] });
  const ours: Hide = async (text) => {
    const begin = process.threadCpuUsage();
    const redacted = redact(text);
    const { user, system } = process.threadCpuUsage(begin);
    if (!redacted.ok) throw new Error(redacted.reason);
    return { text: redacted.text, cpuMs: (user + system) / 1000 };
  };
  const names = { gitleaks: "gitleaks' rules in JavaScript", secretlint: "@secretlint/core@13.0.7" };
  const peers: LimitedPeer[] = [await startPeer(names.gitleaks, "gitleaks")];
  if (await loadSecretlint()) peers.push(await startPeer(names.secretlint, "secretlint"));
  const rows: Row[] = [];
  try {
    for (const { title, unit, better, measure } of cases) {
      const { value } = await measure(ours, false);
      const row = { case: title, unit, ours: value, better, runs: 1 } as const;
      for (const { name, hide } of peers) {
        const { value: their, note } = await measure(hide, true);
        const ratio = value === 0 || their === 0 ? null : better === "higher" ? value / their : their / value;
        rows.push({ ...row, peer: their, peerName: name + note, ratio });
      }
      if (peers.length === 1) rows.push({ ...row, peer: null, peerName: `${names.secretlint} (missing)`, ratio: null });
    }
  } finally {
    for (const { close } of peers) await close();
  }
  return rows;
}

function scores(name: string, records: readonly Labelled[]): Case[] {
  const share = (what: string, kind: Labelled["kind"], passes: (record: Labelled, out: string) => boolean): Case => {
    const of = records.filter((record) => record.kind === kind);
    return {
      title: `${name}: ${what} (${of.length})`,
      unit: "%",
      better: "higher",
      measure: async (hide) => {
        let passed = 0;
        for (const record of of) {
          const tried = await hide(record.text, peerLimitMs);
          if (passes(record, tried?.text ?? record.text)) passed++;
        }
        return { value: (100 * passed) / of.length, note: "" };
      },
    };
  };
  return [
    share("no secret left", "secret", ({ secrets }, out) => !secrets.some((one) => out.includes(one))),
    share("benign intact", "benign", ({ text }, out) => out === text),
    share("context kept", "secret", ({ keep }, out) => keep.every((one) => out.includes(one))),
  ];
}

function speed(title: string, text: string): Case {
  return {
    title,
    unit: "MB/s",
    better: "higher",
    measure: async (hide, isPeer) => {
      const { value, note } = await secondsPerMegabyte(
        hide,
        isPeer ? text.slice(0, peerLogBytes) : text,
        peerLogLimitMs,
      );
      return { value: 1 / value, note };
    },
  };
}

/** The least it can have been, with a note, where a peer was stopped. */
async function secondsPerMegabyte(hide: Hide, text: string, limitMs: number): Promise<Outcome> {
  const tried = await hide(text, limitMs);
  const seconds = (tried?.cpuMs ?? limitMs) / 1000;
  const note = tried ? "" : ` (stopped: over ${limitMs / 1000} s for ${text.length / 1000} kB)`;
  return { value: seconds / (text.length / 1e6), note };
}
