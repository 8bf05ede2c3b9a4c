import { performance } from "node:perf_hooks";
import { createEvaluator } from "../../src/policy/evaluate.ts";
import type { Risk } from "../../src/types.ts";
import { isRight, type Labelled, labelled } from "../policy/labelled.ts";
import { blockList } from "../policy/peers/block-list.ts";
import { loadSafetyNet } from "../policy/peers/cc-safety-net.ts";
import { loadGemini } from "../policy/peers/gemini-cli.ts";
import type { Judge, Peer } from "../policy/peers/peer.ts";
import type { Row } from "./row.ts";

const rounds = 9;

/** The labelled commands, judged by us and by others: what each misses, what it wrongly stops, and how fast it is. */
export async function run(): Promise<Row[]> {
  const evaluate = createEvaluator();
  const ours: Judge = ({ command, os, shell }) => evaluate(command, { os, shell }).risk;
  const rows: Row[] = [];
  for (const peer of [blockList, await loadSafetyNet(), await loadGemini()]) rows.push(...(await compare(ours, peer)));
  return rows;
}

interface Judged {
  readonly row: Labelled;
  readonly risk: Risk;
}

interface Measure {
  readonly title: string;
  readonly asked: (row: Labelled) => boolean;
  readonly wrong: (risk: Risk) => boolean;
}

/** Each a share of the commands it is asked of; an answer the label accepts is right. */
const measures: readonly Measure[] = [
  { title: "block missed", asked: ({ expected }) => expected === "block", wrong: (risk) => risk !== "block" },
  { title: "risky called low", asked: ({ expected }) => expected !== "low", wrong: (risk) => risk === "low" },
  { title: "benign not low", asked: ({ expected }) => expected === "low", wrong: (risk) => risk !== "low" },
  { title: "false block", asked: ({ expected }) => expected !== "block", wrong: (risk) => risk === "block" },
];

async function compare(ours: Judge, peer: Peer): Promise<Row[]> {
  const mine = await measure(ours);
  const theirs = peer.judge ? await measure(peer.judge) : undefined;
  const quality = measures.map(({ title, asked, wrong }): Row => {
    const share = (judged: readonly Judged[]): number => {
      const of = judged.filter(({ row }) => asked(row));
      return (100 * of.filter(({ row, risk }) => wrong(risk) && !isRight(row, risk)).length) / of.length;
    };
    const [our, their] = [share(mine), theirs ? share(theirs) : null];
    return {
      case: `${title} (${labelled.filter(asked).length} commands)`,
      unit: "%",
      ours: our,
      peer: their,
      peerName: peer.name,
      // Of none there is no multiple.
      ratio: their === null || our === 0 ? null : their / our,
      better: "lower",
      runs: 1,
    };
  });
  return [...quality, await speed(ours, peer)];
}

async function measure(judge: Judge): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const row of labelled) judged.push({ row, risk: await judge(row) });
  return judged;
}

/** In turns, so that a slow moment of the machine hits both; the first round warms up. */
async function speed(ours: Judge, { name, judge }: Peer): Promise<Row> {
  const mine: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [our, their] = [await perSecond(ours), judge ? await perSecond(judge) : 0];
    if (round === 0) continue;
    mine.push(our);
    theirs.push(their);
  }
  const [our, their] = [median(mine), judge ? median(theirs) : null];
  return {
    case: "commands judged",
    unit: "/s",
    ours: our,
    peer: their,
    peerName: name,
    ratio: their === null ? null : our / their,
    better: "higher",
    runs: rounds,
  };
}

/** Ten times all of them, so that what is measured is longer than the clock's grain. */
async function perSecond(judge: Judge): Promise<number> {
  const begin = performance.now();
  for (let i = 0; i < 10; i++) await measure(judge);
  return (10_000 * labelled.length) / (performance.now() - begin);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
