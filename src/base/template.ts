import { readFileSync } from "node:fs";

/** Fills a template's placeholders. Every value is required; an empty one can remove its paragraph. */
export type Template = (values: Readonly<Record<string, string>>) => string;

const root = new URL("../../templates/", import.meta.url);

/** The text of a file below `templates/`. If it is missing, throws with its name (INJ-1). */
export function readTemplate(name: string): string {
  try {
    return readFileSync(new URL(name, root), "utf8");
  } catch (cause) {
    throw new Error(`templates/${name} cannot be read: it ships with Countersign and must be there`, { cause });
  }
}

/**
 * Loads a template with `{{placeholders}}`. Drops paragraphs that come out empty, so that a template reads like its comment. Throws for a
 * placeholder without a value, and for a value without a placeholder: an incomplete comment must not reach an issue.
 */
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
