/** The values that an issue form or an issue's own lines give by name (`### Namespace` and `shop`, or `namespace: shop`). Pure. */

import { nameOf } from "./places.ts";

const maxValues = 50;
const maxNameCharacters = 60;
const maxValueCharacters = 200;
/** A longer line is nobody's answer, and is not looked through. */
const maxLineCharacters = 400;

/** What GitHub writes where a field was left empty. */
const noResponse = /^_?No response_?$/i;
const heading = /^#{3}\s+(\S.*?)\s*#*$/;
const line = /^\s*(?:[-*+]\s+)?(?:\*\*|__|`)?([A-Za-z][\w .-]{0,60}?)(?:\*\*|__|`)?\s*:(?:\*\*|__)?\s+(\S.*)$/;

/** By name; of a name that is given two values neither is taken. Blocks of code are nobody's answer. */
export function formValues(body: string): Readonly<Record<string, string>> {
  const found = new Map<string, string | undefined>();
  const add = (written: string, text: string): void => {
    const name = nameOf(written);
    const value = text
      .trim()
      .replace(/^(`+|["'])(.*)\1$/, "$2")
      .trim();
    if (name === "" || name.length > maxNameCharacters || noResponse.test(value)) return;
    if (value === "" || value.length > maxValueCharacters || (!found.has(name) && found.size >= maxValues)) return;
    found.set(name, found.has(name) && found.get(name) !== value ? undefined : value);
  };
  for (const part of sectionsOf(body)) {
    const lines = part.lines.filter((text) => text.trim() !== "");
    const [only] = lines;
    if (part.title !== undefined && only !== undefined && lines.length === 1 && !line.test(only)) add(part.title, only);
    for (const text of lines) {
      const [, name, value] = line.exec(text) ?? [];
      if (name !== undefined && value !== undefined) add(name, value);
    }
  }
  return Object.fromEntries([...found].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

interface FormSection {
  readonly title: string | undefined;
  readonly lines: string[];
}

/** The lines outside of blocks of code, by the heading above them. */
function sectionsOf(body: string): readonly FormSection[] {
  let section: FormSection = { title: undefined, lines: [] };
  const sections = [section];
  let fence: string | undefined;
  for (const text of body.split(/\r?\n/)) {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined || text.length > maxLineCharacters) continue;
    const title = heading.exec(text)?.[1];
    if (title === undefined) section.lines.push(text);
    else {
      section = { title, lines: [] };
      sections.push(section);
    }
  }
  return sections;
}
