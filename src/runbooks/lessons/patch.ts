/** A runbook's file with lines added, as the patch that `git apply` takes. Pure. */

import { shellBlocks } from "../sections.ts";

interface Addition {
  /** Commands that only read, and that belong under its Verify heading. */
  readonly looks: readonly string[];
  /** Lines that belong under its Act heading. */
  readonly acts: readonly string[];
}

/** So many lines around a change say where it belongs. */
const around = 3;

/** A unified diff that adds the lines where the file has such a section, else at its end; undefined where there is nothing to add. */
export function patchRunbook(path: string, text: string, { looks, acts }: Addition): string | undefined {
  const lines = text.split("\n");
  const endsWell = lines.at(-1) === "";
  if (endsWell) lines.pop();
  const blocks = shellBlocks(text);
  const insertions = new Map<number, string[]>();
  for (const [section, title, added] of [
    ["verify", "Verify", looks],
    ["act", "Act (each needs an approval)", acts],
  ] as const) {
    if (added.length === 0) continue;
    const own = blocks.findLast((block) => block.section === section);
    const at = own?.end ?? lines.length;
    const whole = own ? [] : ["", `## ${title}`, "", "```sh"];
    const more = [...whole, ...added.flatMap((one) => one.split("\n")), ...(own ? [] : ["```"])];
    insertions.set(at, [...(insertions.get(at) ?? []), ...more]);
  }
  if (insertions.size === 0) return undefined;
  const hunks = hunksOf([...insertions].sort(([a], [b]) => a - b));
  return [`--- a/${path}`, `+++ b/${path}`, ...drawHunks(hunks, lines, endsWell)].join("\n");
}

type Insertion = readonly [at: number, added: readonly string[]];

/** What lies so near that its surroundings would overlap is one hunk. */
function hunksOf(insertions: readonly Insertion[]): readonly (readonly Insertion[])[] {
  const hunks: Insertion[][] = [];
  for (const one of insertions) {
    const last = hunks.at(-1);
    const before = last?.at(-1)?.[0];
    if (last && before !== undefined && one[0] - before <= 2 * around) last.push(one);
    else hunks.push([one]);
  }
  return hunks;
}

const noNewline = "\\ No newline at end of file";

function drawHunks(
  hunks: readonly (readonly Insertion[])[],
  lines: readonly string[],
  endsWell: boolean,
): readonly string[] {
  let shift = 0;
  return hunks.flatMap((hunk) => {
    const from = Math.max(0, (hunk[0]?.[0] ?? 0) - around);
    const to = Math.min(lines.length, (hunk.at(-1)?.[0] ?? 0) + around);
    const body: string[] = [];
    for (let at = from; at <= to; at += 1) {
      const added = hunk.find(([place]) => place === at)?.[1] ?? [];
      // A last line that no newline ends is another line once something follows it.
      const isCutOff = at === to && to === lines.length && !endsWell;
      const last = lines[at - 1];
      if (isCutOff && added.length > 0 && last !== undefined) body.splice(-1, 1, `-${last}`, noNewline, `+${last}`);
      body.push(...added.map((line) => `+${line}`));
      if (isCutOff && (added.length === 0 || last === undefined)) body.push(noNewline);
      if (at < to) body.push(` ${lines[at]}`);
    }
    const more = hunk.reduce((sum, [, added]) => sum + added.length, 0);
    const start = to === from ? from : from + 1;
    const head = `@@ -${start},${to - from} +${start + shift},${to - from + more} @@`;
    shift += more;
    return [head, ...body];
  });
}
