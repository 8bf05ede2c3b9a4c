import type { Nodes } from "mdast";
import type { EvidenceComment } from "../../github/evidence.ts";
import { readCard } from "../../github/render/read-card.ts";
import type { ActionSpec } from "../../store/actions.ts";
import { parseMarkdown } from "../../text/markdown.ts";

type ShownSpec = Pick<ActionSpec, "number" | "risk" | "place" | "command">;

export type ShownResult =
  /**
   * From then on, by that comment, from its beginning or since an edit; `conditional`: under a condition that the bot alone checks.
   */
  | {
      readonly kind: "shown";
      readonly id: number;
      readonly at: Date;
      readonly isEdit: boolean;
      readonly conditional: boolean;
    }
  | { readonly kind: "not-shown" }
  | { readonly kind: "otherwise"; readonly why: string };

/**
 * Whether the bot's comments have shown this command under its number, and never anything else: a bot that is not ours any more could show one
 * command, and name another afterwards. Pure.
 */
export function whatWasShown(own: readonly EvidenceComment[], spec: ShownSpec, placeName: string): ShownResult {
  let first: { readonly id: number; readonly at: Date; readonly isEdit: boolean } | undefined;
  let conditional = false;
  for (const comment of own)
    for (const [nth, { at, body }] of comment.versions.entries())
      for (const item of itemsIn(body)) {
        const [entry, ...more] = readCard(item.text);
        if (entry?.number !== spec.number) continue;
        if (more.length > 0) return { kind: "otherwise", why: "a card shows two commands as one" };
        if (item.isHidden || item.code !== entry.command)
          return { kind: "otherwise", why: "its card hides it, or a part of it" };
        const isSame = entry.command === spec.command && entry.risk === spec.risk && entry.place === placeName;
        if (!isSame) return { kind: "otherwise", why: `the bot has shown another command under ${spec.number}` };
        if (item.text.includes("**Runs only if check")) conditional = true;
        if (!first || at < first.at || (at.getTime() === first.at.getTime() && comment.id < first.id))
          first = { id: comment.id, at, isEdit: nth > 0 };
      }
  return first ? { kind: "shown", ...first, conditional } : { kind: "not-shown" };
}

interface CardItem {
  readonly text: string;
  /** The first block of code that a reader sees in it. */
  readonly code: string | undefined;
  readonly isHidden: boolean;
}

/**
 * The tasks of a card as GitHub's Markdown has them: what stands in a comment of HTML, in code or in a quote is none. One counts as hidden
 * behind HTML that may fold it away.
 */
function itemsIn(body: string): readonly CardItem[] {
  const source = body.replace(/\r\n?/g, "\n");
  const items: CardItem[] = [];
  // Our parser blanks such marks to stay fast, and may then read what GitHub does not.
  const isUnsure = source
    .split("\n\n")
    .some(
      (block) =>
        (block.match(/[*_~]+/g)?.length ?? 0) > mostMarks || /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){30}/m.test(block),
    );
  let open = 0;
  let isOdd = false;
  const seeHtml = (node: Nodes): void => {
    if (node.type === "html") {
      const tags = node.value.replace(/<!--(?!-?>)[\s\S]*?-->/g, "");
      open += (tags.match(/<details(?: open)?>/g) ?? []).length - (tags.match(/<\/details>/g) ?? []).length;
      if (tags.replace(/<\/?(?:details|summary|sub)>|<details open>|<br>/g, "").match(/<[A-Za-z!/?]/)) isOdd = true;
    }
    if ("children" in node) for (const child of node.children) seeHtml(child);
  };
  for (const node of parseMarkdown(source).children) {
    if (node.type === "list")
      for (const item of node.children) {
        const [from, to] = [item.position?.start.offset, item.position?.end.offset];
        if (from === undefined || to === undefined) throw new Error("a card cannot be read");
        const [code] = codeIn(item);
        const isHidden = isOdd || open > 0 || isUnsure || hasHtml(item);
        seeHtml(item);
        items.push({ text: source.slice(from, to), code, isHidden });
      }
    else seeHtml(node);
  }
  return items;
}

const mostMarks = 1_000;

const codeIn = (node: Nodes): readonly string[] =>
  node.type === "code" ? [node.value] : "children" in node ? node.children.flatMap(codeIn) : [];

const hasHtml = (node: Nodes): boolean => node.type === "html" || ("children" in node && node.children.some(hasHtml));
