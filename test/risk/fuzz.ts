import { judge, places, summary, wrongWith } from "./judged.ts";
import { anyText, createRandom } from "./strings.ts";

/** Judges `count` texts, most as bash; gives back what was wrong with any, and what to print. */
export function fuzz({ seed, count }: { readonly seed: number; readonly count: number }): {
  readonly wrong: readonly string[];
  readonly lines: readonly string[];
} {
  const random = createRandom(seed);
  const times = new Map(places.map((where) => [where, [] as number[]] as const));
  const wrong: string[] = [];
  let slowest = { ms: 0, text: "" };
  for (let i = 0; i < count; i++) {
    const text = anyText(random);
    // PowerShell and cmd each get one of ten.
    const where = places[Math.max(0, random(10) - 7)] ?? places[0];
    if (!where) continue;
    const judged = judge(text, where);
    times.get(where)?.push(judged.ms);
    if (judged.ms > slowest.ms) slowest = { ms: judged.ms, text };
    const trouble = wrongWith(text, where, judged);
    if (trouble !== "") wrong.push(`${where.shell}: ${trouble}: ${JSON.stringify(text)}`);
  }
  const lines = [...times].map(([{ shell }, list]) => `${shell}, ${summary(list)}`);
  return { wrong, lines: [...lines, `slowest: ${JSON.stringify(slowest.text.slice(0, 300))}`] };
}
