/** Variables of cmd.exe: `%x%`, `!x!`, their parts and replacements, with what the line itself sets. */
import { automaticVariables } from "../knowledge/windows-variables.ts";

const maxText = 20_000;

/** What `set x=…` in this text gives its variables; the last one counts. */
export function readAssignments(text: string): Map<string, string> {
  const variables = new Map<string, string>();
  for (const match of text.matchAll(/\bset\s+(?:\/p\s+)?(?:"([^"=\s]+)=([^"\n]*)"|([^"=\s/]+)=([^"&|\n]*))/gi)) {
    const name = (match[1] ?? match[3] ?? "").toLowerCase();
    const value = fillVariables((match[2] ?? match[4] ?? "").replace(/\^(.)/g, "$1"), variables);
    variables.set(name, match[1] === undefined ? value.trimEnd() : value);
  }
  return variables;
}

/** Fills in what is known; the rest stays as it is written. */
export function fillVariables(text: string, variables: ReadonlyMap<string, string>): string {
  const filled = text.replace(
    /([%!])([\w()#$@.-]+)(?::(?:~(-?\d+)(?:,(-?\d+))?|([^=%!]+)=([^%!]*)))?\1/g,
    (whole, _sign, name: string, from?: string, length?: string, old?: string, by = "") => {
      const value = variables.get(name.toLowerCase()) ?? automaticVariables[`env:${name.toLowerCase()}`];
      if (value === undefined) return whole;
      if (old !== undefined) return replaceAll(value, old, by);
      if (from === undefined) return value;
      const start = Number(from) < 0 ? Math.max(0, value.length + Number(from)) : Number(from);
      if (length === undefined) return value.slice(start);
      return value.slice(start, Number(length) < 0 ? Number(length) : start + Number(length));
    },
  );
  return filled.length > maxText ? text : filled;
}

/** `%x:old=new%` does not look at case; `*old` takes all before it along. */
function replaceAll(value: string, old: string, by: string): string {
  const part = old.replace(/^\*/, "").toLowerCase();
  const at = value.toLowerCase().indexOf(part);
  if (part === "" || at < 0) return value;
  if (old.startsWith("*")) return by + value.slice(at + part.length);
  let out = "";
  let rest = value;
  for (let next = at; next >= 0; next = rest.toLowerCase().indexOf(part)) {
    out += rest.slice(0, next) + by;
    rest = rest.slice(next + part.length);
  }
  return out + rest;
}
