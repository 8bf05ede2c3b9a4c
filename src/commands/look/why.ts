import type { Finding } from "../../base/risk.ts";
import { type Markdown, riskMark } from "../../github/render/ink.ts";

/** A phone shows about three without scrolling. */
const maxShown = 3;

const around = 24;

/** Marks the three strictest reasons, and says what to leave out for low risk. */
export function renderWhy(
  command: string,
  findings: readonly Finding[],
  toDrop: readonly string[],
  markdown: Pick<Markdown, "plain" | "code">,
): string {
  const lines = findings.slice(0, maxShown).map((it) => {
    const span = placeOf(command, it);
    const mark = span ? ` · ${markSpan(command, span, markdown)}` : "";
    return `- ${riskMark(it.risk)} · ${markdown.plain(it.text)}${mark}`;
  });
  const more = findings.length - lines.length;
  if (more > 0) lines.push(`- and ${more} more`);
  const low =
    toDrop.length > 0
      ? `\n\nLow without ${toDrop.slice(0, maxShown).map(markdown.code).join(", or without ")} (\`/edit\`).`
      : "";
  return `**Why this risk**\n\n${lines.join("\n")}${low}`;
}

/** For the command at `at` in a set's text; offsets become the command's own. */
export const findingsWithin = (findings: readonly Finding[], command: string, at: number): readonly Finding[] =>
  findings.flatMap((one): readonly Finding[] => {
    if (!one.span) return one.inner && !command.includes(one.inner.text.trimEnd()) ? [] : [one];
    const [start, end] = [one.span[0] - at, one.span[1] - at];
    return start >= 0 && end <= command.length ? [{ ...one, span: [start, end] }] : [];
  });

/** Undefined if the command only makes the text, e.g. from base64. */
function placeOf(command: string, { span, inner }: Finding): readonly [number, number] | undefined {
  if (span || !inner) return span;
  const at = command.indexOf(inner.text.trimEnd());
  return at === -1 ? undefined : [at + inner.span[0], at + inner.span[1]];
}

/** `…before `**`the place`**` after…`, on one line. */
function markSpan(text: string, [start, end]: readonly [number, number], markdown: Pick<Markdown, "code">): string {
  const oneLine = (part: string): string => part.replace(/\s+/g, " ");
  const before = oneLine(text.slice(Math.max(0, start - around), start)).trimStart();
  const after = oneLine(text.slice(end, end + around)).trimEnd();
  const place = oneLine(text.slice(start, Math.min(end, start + 2 * around)));
  const pieces = [
    before.trim() === "" ? "" : markdown.code((start > around ? "…" : "") + before.trim()),
    `**${markdown.code(place)}**`,
    after.trim() === "" ? "" : markdown.code(after.trim() + (text.length > end + around ? "…" : "")),
  ];
  return pieces.filter((piece) => piece !== "").join(" ");
}
