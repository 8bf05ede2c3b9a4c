import { readFileSync } from "node:fs";

/** Fills a template's placeholders; every value must be given, empty ones make their paragraph disappear. */
export type Template = (values: Readonly<Record<string, string>>) => string;

const root = new URL("../../templates/", import.meta.url);

/** The text of a file below `templates/`. Throws, naming the file, where it is missing (INJ-1). */
export function readTemplate(name: string): string {
  try {
    return readFileSync(new URL(name, root), "utf8");
  } catch (cause) {
    throw new Error(`templates/${name} cannot be read: it ships with Countersign and must be there`, { cause });
  }
}

/**
 * Loads a template with `{{placeholders}}`. Paragraphs (what stands between blank lines) that come out empty are dropped, so
 * that a template reads like the comment it makes. A placeholder without a value, or a value without a placeholder, throws:
 * a comment with a hole in it must not reach an issue.
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
