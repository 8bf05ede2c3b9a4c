import type { Find, Span } from "./span.ts";

/** Shorter values would also hit harmless text. */
const leastLength = 6;

/** The bytes of a value as they lie in a base64 text that begins 0, 1 or 2 bytes before it. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at the ends also carry bits of the neighbours.
    const first = shift === 0 ? 0 : shift + 1;
    const whole = Math.floor(((shift + Buffer.byteLength(value)) * 8) / 6);
    return encoded.slice(first, whole);
  });
}

const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");

/** Every form in which a value that the bot holds may come back (SR-47). */
function formsOf(value: string): string[] {
  const cores = base64Cores(value).filter((core) => core.length >= leastLength);
  const hex = Buffer.from(value).toString("hex");
  const url = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  const shell = value.replaceAll("'", `'\\''`);
  return [
    value,
    ...cores,
    ...cores.map(urlSafe),
    hex,
    hex.toUpperCase(),
    url,
    url.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    url.replaceAll("%20", "+"),
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    shell,
    value.replace(/[^\w@%+=:,./-]/g, "\\$&"),
    value.replace(/["$`\\]/g, "\\$&"),
    value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  ];
}

/** Values the bot itself holds, and each line of those that have several (keys). */
export function createFindHeld(secrets: readonly string[]): Find {
  const values = secrets.flatMap((secret) => [secret.trim(), ...secret.split(/\r?\n/).map((line) => line.trim())]);
  const wanted = values.filter((value) => value.length >= leastLength && !/^-{4,5}(?:BEGIN|END) /.test(value));
  const forms = [...new Set(wanted.flatMap(formsOf))].filter((form) => form.length >= leastLength);
  return (text) => forms.flatMap((form) => occurrences(text, form));
}

function occurrences(text: string, form: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
    spans.push({ start: at, end: at + form.length });
  return spans;
}
