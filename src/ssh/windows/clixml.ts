/**
 * Replaces CLIXML by its text without progress. PowerShell without a terminal writes `#< CLIXML`, then `<Objs …>…</Objs>`, once or more,
 * between other lines. A truncated element gives its complete parts. Pure, linear.
 */
export function readCliXml(text: string): string {
  if (!text.includes(header)) return text;
  return text
    .split(/(<Objs [^<>]*>)/)
    .map((part, at, parts) => (at % 2 === 1 ? "" : at === 0 ? part : readObjects(part, parts[at - 1] ?? "")))
    .join("")
    .replace(/^#< CLIXML\r?\n?/gm, "");
}

const header = "#< CLIXML";
const end = "</Objs>";

function readObjects(body: string, opening: string): string {
  if (!opening.includes("schemas.microsoft.com/powershell")) return opening + body;
  const at = body.indexOf(end);
  const [inside, after] = at === -1 ? [body, ""] : [body.slice(0, at), body.slice(at + end.length)];
  const streams = [...inside.matchAll(/<S S="(\w+)">([^<]*)<\/S>/g)];
  const said = streams.filter(([, stream]) => stream !== "progress").map(([, , escaped = ""]) => unescapeText(escaped));
  return said.join("") + after;
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** XML's entities, then PowerShell's own `_x000D__x000A_` for what XML cannot hold. */
const unescapeText = (escaped: string): string =>
  escaped
    .replace(/&(lt|gt|amp|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
