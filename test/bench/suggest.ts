import MiniSearch from "minisearch";
import type { Skill } from "../../src/base/github.ts";
import { createMatcher } from "../../src/runbooks/match/matcher.ts";
import { incidents, type LabelledIncident, ownIncidents, skills } from "../runbooks/labelled.ts";
import type { Row } from "./row.ts";

type Rank = (incident: LabelledIncident) => readonly string[];

const peerName = "minisearch, description ×2, fuzzy";
const everything = [...incidents, ...ownIncidents];
const fitting = everything.filter(({ right }) => right.length > 0);

/** Incident → runbook beside a full-text search over the same skills: how often the first is right, and how long it takes. */
export async function run(): Promise<Row[]> {
  const many = manySkills(1_000);
  return [
    quality("right runbook first (labelled and own incidents)", (rank) => (it) => it.right.includes(rank(it)[0] ?? "")),
    quality(
      "right runbook among three",
      (rank) => (it) =>
        rank(it)
          .slice(0, 3)
          .some((name) => it.right.includes(name)),
    ),
    speed("one incident among 1,000 runbooks", ours(many), minisearch(many)),
    speed("one incident among 20 runbooks", ours(skills), minisearch(skills)),
  ];
}

function ours(of: readonly Skill[]): Rank {
  const match = createMatcher(of);
  return (incident) => match(incident).ranked.map(({ name }) => name);
}

/** As its README shows it: no cleaning, no vocabulary. */
function minisearch(of: readonly Skill[]): Rank {
  const index = new MiniSearch<{ id: number; name: string; description: string; body: string }>({
    fields: ["name", "description", "body"],
    searchOptions: { boost: { description: 2 }, fuzzy: 0.2, prefix: true },
  });
  index.addAll(of.map(({ name, description, body }, id) => ({ id, name, description, body })));
  return ({ title, body }) => index.search(`${title} ${body}`).map(({ id }) => of[Number(id)]?.name ?? "");
}

function quality(title: string, isRight: (rank: Rank) => (incident: LabelledIncident) => boolean): Row {
  const share = (rank: Rank) => fitting.filter(isRight(rank)).length / fitting.length;
  const [mine, peer] = [share(ours(skills)), share(minisearch(skills))];
  return {
    case: title,
    unit: "share",
    ours: mine,
    peer,
    peerName,
    ratio: mine / peer,
    better: "higher",
    runs: fitting.length,
  };
}

/** Takes turns over every incident, so that a slow moment of the machine hits both. */
function speed(title: string, mine: Rank, peer: Rank): Row {
  const times = { mine: [] as number[], peer: [] as number[] };
  const time = (rank: Rank, incident: LabelledIncident) => {
    const started = performance.now();
    rank(incident);
    return performance.now() - started;
  };
  for (const incident of everything) for (const rank of [mine, peer]) rank(incident);
  for (const incident of everything) {
    times.mine.push(time(mine, incident));
    times.peer.push(time(peer, incident));
  }
  const [a, b] = [median(times.mine), median(times.peer)];
  return {
    case: title,
    unit: "ms",
    ours: a,
    peer: b,
    peerName,
    ratio: b / a,
    better: "lower",
    runs: everything.length,
  };
}

/** The labelled skills again and again, each copy with words of its own. */
function manySkills(count: number): readonly Skill[] {
  return Array.from({ length: count }, (_, i) => {
    const skill = skills[i % skills.length];
    if (skill === undefined) throw new Error("there are no labelled skills");
    return {
      ...skill,
      name: `${skill.name}-${i}`,
      description: `${skill.description} For service${i} of team${i % 37}.`,
    };
  });
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
