import { expect } from "vitest";
import { commands } from "../../src/commands/registry.ts";
import { judgeIssue, judgeNight, judgeVerdicts, readIssue } from "./judge.ts";
import { type NightSize, playNight } from "./play.ts";

/** A whole night, played and judged; every fault it has is told at once. */
export async function aNight(size: NightSize): Promise<void> {
  const night = await playNight(size);
  try {
    const faults = [...(await judgeNight(night)), ...(await judgeVerdicts(night))];
    for (const { number } of night.threads) faults.push(...(await judgeIssue(night, number)));
    expect(faults).toEqual([]);
    const ran = [...night.executed.values()].reduce((sum, times) => sum + times, 0);
    const given = night.remarks.map(({ body }) => body.toLowerCase()).join("\n");
    const missing = commands.filter(({ verb }) => !new RegExp(`^/${verb}\\b`, "m").test(given));
    console.log(
      `night of seed ${size.seed}: ${night.threads.length} incidents, ${night.remarks.length} comments, ${ran} commands run`,
    );
    if (size.comments < 300) return;
    const issues = await Promise.all(night.threads.map(({ number }) => readIssue(night, number)));
    const longest = issues.toSorted((a, b) => b.length - a.length)[0] ?? [];
    console.log(longest.map(({ login, body }) => `──── ${login}\n\n${body}`).join("\n\n"));
    // What a whole night rests on: things ran, and every command was given.
    expect(ran).toBeGreaterThan(size.incidents);
    expect(missing.map(({ verb }) => verb)).toEqual([]);
  } finally {
    await night.close();
  }
}
