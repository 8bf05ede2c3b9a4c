import { expect } from "vitest";
import { commands } from "../../src/commands/registry.ts";
import type { AuditRow } from "../../src/store/audit/rows.ts";
import type { History } from "../simulation/history.ts";
import { judge } from "../simulation/judge.ts";
import { historyOf, type Night, type NightSize, playNight } from "./play.ts";

/** A whole night, played and judged; every fault it has is told at once. */
export async function aNight(size: NightSize): Promise<void> {
  const night = await playNight(size);
  try {
    const asked = await askForVerdicts(night);
    const history = await historyOf(night);
    expect([...judge(history), ...faultsOfVerdicts(history, asked)]).toEqual([]);
    const given = night.remarks.map(({ body }) => body.toLowerCase()).join("\n");
    const missing = commands.filter(({ verb }) => !new RegExp(`^/${verb}\\b`, "m").test(given));
    console.log(
      `night of seed ${size.seed}: ${night.threads.length} incidents, ${night.remarks.length} comments, ${night.begun.length} commands run`,
    );
    if (size.comments < 300) return;
    const longest = history.issues.toSorted((a, b) => b.comments.length - a.comments.length)[0]?.comments ?? [];
    console.log(longest.map(({ login, body }) => `──── ${login}\n\n${body}`).join("\n\n"));
    // What a whole night rests on: things ran, and every command was given.
    expect(night.begun.length).toBeGreaterThan(size.incidents);
    expect(missing.map(({ verb }) => verb)).toEqual([]);
  } finally {
    await night.close();
  }
}

/** Has each issue held against the store; the comments that asked for it. */
async function askForVerdicts({ watched, threads }: Night): Promise<ReadonlyMap<number, number>> {
  const asked = new Map<number, number>();
  for (const thread of threads) asked.set(await thread.say("lee", "/verify"), thread.number);
  await watched.quiet();
  return asked;
}

/** What /verify said of each issue that is not so: it names what people did to their own words, and nothing else (DC-6). */
function faultsOfVerdicts({ audit, late, remarks }: History, asked: ReadonlyMap<number, number>): readonly string[] {
  const verdicts = new Map<number, AuditRow["body"]>();
  for (const { kind, body } of audit) if (kind === "issue_verified") verdicts.set(Number(body.commentId), body);
  return [...asked].flatMap(([id, issue]) => {
    const body = verdicts.get(id);
    if (!body) return [`DC-6: /verify of ${issue} came to nothing`];
    const words = remarks.some((remark) => remark.issue === issue && remark.changed !== undefined);
    const may = [
      ...(words ? ["word-edited", "word-deleted", "differs"] : []),
      ...([...late].some((one) => one.startsWith(`${issue} `)) ? ["copied"] : []),
    ];
    const wrong = Object.keys(body.findings as object).filter((kind) => !may.includes(kind));
    const faults = body.faults as readonly string[];
    return wrong.length + faults.length === 0 ? [] : [`DC-6: /verify of ${issue} finds ${[...wrong, ...faults]}`];
  });
}
