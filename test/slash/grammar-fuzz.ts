import { type Hint, noteOf, parseSlashCommand, type SlashCommand } from "../../src/slash/grammar.ts";
import { createChance } from "../harness/chance.ts";
import { type Reference, refer } from "./reference-grammar.ts";

/** What matters to Markdown, to the grammar, or to somebody who would trick one of them; parted by `¦`. */
const pieces: readonly string[] = [
  "/approve 1¦/approve 1 2¦/approve 1,2¦/approve 1, 2¦/approve 1 , 2¦/approve 1,,2,¦/approve ,1¦/approve all¦/approve ALL",
  "/approve #1¦/approve 1@abcdef12¦/approve 1@ABCDEF1234,2¦/approve 1@abc¦/approve 1@abcdefgh¦/approve 007¦/approve 0",
  "/approve 99999999999999999999¦/approve 1234567¦/approve -1¦/approve 1.5¦/approve 1;2¦/approve¦/Approve 1¦/APPROVE 1",
  "/approve --keep-going 1¦/approve 1 --timeout 10m¦/approve --timeout 1¦/approve 1 --timeout --keep-going 2",
  "/approve 1 not --keep-going¦/reject 2 why not¦/deny 3¦/run web-1¦/edit 2¦/hold --kill¦/output 2 page 3¦/help¦/aprove 3",
  "/ops approve 3¦/OPS /approve 3¦/ops¦/ops 3¦/ops/approve 1¦/opsapprove 1¦/etc/passwd¦//approve 1¦/ approve 1",
  "approve 1¦yes¦ok¦👍¦LGTM¦@bot approve 1¦please /approve 1¦/approve: 1¦/approve1¦/approve-1",
  "/аpprove 1¦／approve 1¦∕approve 1¦/approve ١¦/approve １¦/approve 1\u200b2¦/app\u200brove 1¦/approve\u00a01",
  "\u200b¦\u00a0¦\ufeff¦\u202e¦\u2028¦\u3000¦\u0000¦\u000b¦\f¦\ud800¦\ue000¦é¦🙂",
  "1¦2¦,¦1,2¦@¦#1¦all¦all,¦--keep-going¦--timeout¦--timeout=10m¦10m¦--¦-¦--Kill¦web-1",
  " ¦  ¦   ¦    ¦     ¦\t¦ \t¦\n¦\n¦\n¦\n\n¦\r\n¦\r¦\n    ¦\n\n    ¦\n\t¦\n   ",
  "> ¦>¦> > ¦>> ¦   > ¦    > ¦\n> ¦\n>\n¦\n> a\n¦> - ¦> ```\n¦> <!--\n¦> `¦>\t",
  "`¦``¦```¦````¦~~~¦~~~~¦\n```\n¦\n```¦```sh\n¦``` `x`\n¦~~~ `x`\n¦   ```\n¦    ```\n¦\n~~~\n",
  "```\u00a0\n¦```\u2028\n¦- ```\n¦> ~~~\n¦`df -h`¦``a`b``¦`/approve 1`¦`` /approve 2 ``¦` /reject¦\\`",
  "<!--¦-->¦--!>¦<!-->¦<!--->¦<!---->¦<!-- x -->¦<!-- ` -->¦\n<!--\n¦\n-->\n¦<!- -¦--¦<!¦->",
  "<details>¦</details>¦<summary>¦<div>¦<script>¦<pre>¦<b>¦</b>¦<?¦?>¦<![CDATA[¦]]>¦<!X>¦<br>",
  "- ¦* ¦+ ¦1. ¦1) ¦- [ ] ¦- [x] ¦-\n¦  - ¦# ¦## ¦#¦\n===\n¦\n---\n¦\n--\nmona¦***¦___",
  "| ¦ | ¦\n|---|\n¦\n---|---\n¦[a]: /x\n¦[a]:\n¦[a]¦](¦![¦[^1]¦[^1]: ¦[^1]:\n\n    ¦\\¦\\/¦&#47;",
  "&sol;¦&nbsp;¦&lt;!--¦**¦*¦_¦~~¦On Mon, Mona wrote:\n> ¦Sent from my phone¦www.x.io ¦<https://x.io>¦x¦word ",
].flatMap((line) => line.split("¦"));

/** A body of one to a dozen pieces, most of them short: what comes first decides. */
function buildBody(random: (below: number) => number): string {
  const length = 1 + Math.min(random(12), random(12));
  return Array.from({ length }, () => pieces[random(pieces.length)] ?? "").join("");
}

const prefixes = ["ops"];

type Said = Reference | { readonly hint: string } | undefined;

/** What the parser says, in the reference's words. */
export function said(slash: SlashCommand | Hint | undefined): Said {
  if (slash === undefined) return undefined;
  if (slash.kind === "hint") return { hint: slash.verb };
  return {
    verb: slash.verb,
    ids: slash.ids === "all" ? "all" : slash.ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`)),
    flags: [...slash.flags].flatMap(([flag, value]) => (value === "" ? [flag] : [flag, value])),
    note: noteOf(slash),
  };
}

export interface Comparison {
  readonly differences: readonly { readonly body: string; readonly parser: Said; readonly reference: Said }[];
  readonly commands: number;
  readonly hints: number;
  readonly linesPerSecond: number;
}

/** Reads so many bodies by the parser and by the reference. Only the parser is timed. */
export function compare(count: number, seed: number): Comparison {
  const { below: random } = createChance(seed);
  const bodies = Array.from({ length: count }, () => buildBody(random));
  const began = performance.now();
  const read = bodies.map((body) => parseSlashCommand(body, prefixes));
  const linesPerSecond = count / ((performance.now() - began) / 1000);
  const differences = bodies.flatMap((body, at) => {
    const parser = said(read[at]);
    const reference = refer(body, prefixes);
    return JSON.stringify(parser) === JSON.stringify(reference) ? [] : [{ body, parser, reference }];
  });
  const kinds = read.map((slash) => slash?.kind);
  return {
    differences,
    commands: kinds.filter((kind) => kind === "command").length,
    hints: kinds.filter((kind) => kind === "hint").length,
    linesPerSecond,
  };
}
