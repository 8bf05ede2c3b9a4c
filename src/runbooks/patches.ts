import type { NamedValue } from "../base/action.ts";
import { nameOf } from "./places.ts";

interface RunbookPatch {
  /** Undefined if the fence names none. */
  readonly repository: string | undefined;
  readonly text: string;
}

/** A runbook's patches: code blocks named `diff`, and behind that word the repository if several take patches. */
export const patchesIn = (body: string): readonly RunbookPatch[] =>
  [...body.matchAll(/^(`{3,}|~{3,})diff(?:[ \t]+([\w.-]+))?[ \t]*\r?\n([\s\S]*?)^\1[`~]*[ \t]*$/gm)].map(
    ([, , repository, text = ""]) => ({ repository, text }),
  );

/** As it stands in a file: nothing is quoted there, so a value must need no quotes. */
const plainValue = /^[\w.:/-]{1,200}$/;

/** Fills places such as `<deployment>`; `open` are those without a value that could stand in any file. */
export function fillPatch(
  text: string,
  values: readonly NamedValue[],
): { readonly text: string; readonly open: readonly string[] } {
  const known = new Map(values.toReversed().map(({ name, value }) => [nameOf(name), value]));
  const open = new Set<string>();
  const filled = text.replace(/<([a-z][a-z0-9_-]*)>/g, (place, name: string) => {
    const value = known.get(nameOf(name));
    if (value !== undefined && plainValue.test(value)) return value;
    open.add(name);
    return place;
  });
  return { text: filled, open: [...open] };
}
