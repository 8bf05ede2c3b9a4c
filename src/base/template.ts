import { readFileSync } from "node:fs";

/** An empty value can remove its paragraph. */
export type Template = (values: Readonly<Record<string, string>>) => string;

const root = new URL("../../templates/", import.meta.url);

/** From `templates/`. Throws with the name if it is missing (INJ-1). */
export function readTemplate(name: string): string {
  try {
    return readFileSync(new URL(name, root), "utf8");
  } catch (cause) {
    throw new Error(`templates/${name} cannot be read: it ships with Countersign and must be there`, { cause });
  }
}

/** Drops empty paragraphs. Throws for a missing or spare value, because an incomplete comment must not reach an issue. */
export function loadTemplate(name: string): Template {
  const paragraphs = readTemplate(name)
    .trim()
    .split(/\n{2,}/);
  const known = new Set([...paragraphs.join("\n").matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]));
  return (values) => {
    for (const key of Object.keys(values)) {
      if (!known.has(key)) throw new Error(`templates/${name} has no place for ${key}`);
    }
    const fill = (paragraph: string) =>
      paragraph.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
        const value = values[key];
        if (value === undefined) throw new Error(`templates/${name} wants a value for ${key}`);
        return value;
      });
    return paragraphs
      .map(fill)
      .filter((paragraph) => paragraph.trim() !== "")
      .join("\n\n");
  };
}
