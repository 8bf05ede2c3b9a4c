import { performance } from "node:perf_hooks";
import type { Risk } from "../../src/base/risk.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { isRight, type Labelled, labelled } from "../risk/labelled.ts";
import { blockList } from "../risk/peers/block-list.ts";
import { loadSafetyNet } from "../risk/peers/cc-safety-net.ts";
import { loadGemini } from "../risk/peers/gemini-cli.ts";
import type { Judge, Peer } from "../risk/peers/peer.ts";
import { bashTexts, bashWords, harmless, harmlessWords, isSimple, keeps, type Rewrites } from "../risk/rewrites.ts";
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

/** The labelled bash commands of one risk, each in every other form that keeps what it does. */
function rewritten(expected: Risk, texts: Rewrites, words: Rewrites): readonly Labelled[] {
  return labelled
    .filter((row) => row.shell === "bash" && row.expected === expected)
    .flatMap((row) => {
      const rewrites = Object.entries({ ...texts, ...(isSimple(row.command) ? words : {}) });
      return rewrites
        .filter(([name]) => keeps(name, row.command))
        .map(([, rewrite]) => ({ ...row, command: rewrite(row.command) }));
    });
}

const disguised = rewritten("block", bashTexts, bashWords);
const changed = rewritten("low", harmless, harmlessWords);

interface Measure {
  readonly title: string;
  readonly of: readonly Labelled[];
  readonly asked: (row: Labelled) => boolean;
  readonly wrong: (risk: Risk) => boolean;
}

/** Each a share of the commands it is asked of; an answer the label accepts is right. */
const measures: readonly Measure[] = [
  {
    title: "block missed",
    of: labelled,
    asked: ({ expected }) => expected === "block",
    wrong: (risk) => risk !== "block",
  },
  {
    title: "risky called low",
    of: labelled,
    asked: ({ expected }) => expected !== "low",
    wrong: (risk) => risk === "low",
  },
  {
    title: "benign not low",
    of: labelled,
    asked: ({ expected }) => expected === "low",
    wrong: (risk) => risk !== "low",
  },
  {
    title: "false block",
    of: labelled,
    asked: ({ expected }) => expected !== "block",
    wrong: (risk) => risk === "block",
  },
  { title: "block missed, disguised", of: disguised, asked: () => true, wrong: (risk) => risk !== "block" },
  { title: "benign not low, changed harmlessly", of: changed, asked: () => true, wrong: (risk) => risk !== "low" },
];

async function compare(ours: Judge, peer: Peer): Promise<Row[]> {
  const rows: Row[] = [];
  for (const one of measures) {
    const our = await share(ours, one);
    const their = peer.judge ? await share(peer.judge, one) : null;
    rows.push({
      case: `${one.title} (${one.of.filter(one.asked).length} commands)`,
      unit: "%",
      ours: our,
      peer: their,
      peerName: peer.name,
      // Of none there is no multiple.
      ratio: their === null || our === 0 ? null : their / our,
      better: "lower",
      runs: 1,
    });
  }
  return [...rows, await speed(ours, peer)];
}

/** In percent. */
async function share(judge: Judge, { of, asked, wrong }: Measure): Promise<number> {
  const rows = of.filter(asked);
  const risks = await judgeAll(judge, rows);
  const count = rows.filter((row, i) => {
    const risk = risks[i] ?? "low";
    return wrong(risk) && !isRight(row, risk);
  }).length;
  return (100 * count) / rows.length;
}

async function judgeAll(judge: Judge, rows: readonly Labelled[]): Promise<readonly Risk[]> {
  const risks: Risk[] = [];
  for (const row of rows) risks.push(await judge(row));
  return risks;
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
  for (let i = 0; i < 10; i++) await judgeAll(judge, labelled);
  return (10_000 * labelled.length) / (performance.now() - begin);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
