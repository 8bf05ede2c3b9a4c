/** Cmdlets that read, write, move and delete files, and that go to a folder. */
import { type Named, type Special, valueAt, values } from "./context.ts";
import { noteDownload } from "./downloads.ts";
import { deleteWindows, enterFolder, readWindows, writeWindows } from "./paths.ts";
import { isThing, listOf, toText } from "./values.ts";

/** What the paths of a call are, with those that come through the pipe. */
function pathsOf({ words, input }: Named): string[] {
  const paths = values(
    words.filter(({ parameter }) => parameter === undefined || !/^(fi|inc|exc|val|enc)/.test(parameter)),
  );
  if (input === null || input === undefined) return paths;
  if (isThing(input) && input.is === "found") return input.narrow ? paths : [...paths, toText(input)];
  return [...paths, ...listOf(input).map(toText)];
}

const deletes =
  (verb: string): Special =>
  (named, { scan }) => {
    for (const path of pathsOf(named)) deleteWindows(path, scan, verb);
    return undefined;
  };
const reads: Special = (named, { scan }) => {
  for (const path of pathsOf(named)) readWindows(path, scan);
  return undefined;
};
const writes: Special = ({ words }, { scan, state }) => {
  const path =
    valueAt(words, "filepath", 2) ??
    valueAt(words, "path", 2) ??
    valueAt(words, "literalpath", 2) ??
    words.find(({ parameter }) => parameter === undefined);
  for (const text of path?.texts ?? []) {
    writeWindows(text, scan);
    if (state.fetched) noteDownload(text, scan);
  }
  return undefined;
};
const moves =
  (isAway: boolean): Special =>
  (named, { scan }) => {
    const { words } = named;
    const to = (valueAt(words, "destination", 3) ?? words.filter(({ parameter }) => parameter === undefined)[1])
      ?.texts[0];
    for (const from of pathsOf(named)) {
      if (from === to) continue;
      readWindows(from, scan);
      if (isAway && /^[a-z]:\\?(windows|users|program files.*)?(\\system32)?\\?\*?$/i.test(from))
        deleteWindows(from, scan, "moves away");
    }
    if (to !== undefined) writeWindows(to, scan);
    return undefined;
  };

const enter: Special = ({ words }, { scan }) => {
  enterFolder(values(words)[0], scan);
  return "low";
};

/** By name. */
export const fileSpecials: Readonly<Record<string, Special>> = {
  "remove-item": (named, context) => {
    deletes("deletes")(named, context);
    if (values(named.words).some((path) => /consolehost_history|psreadline/i.test(path))) return "block";
    return undefined;
  },
  "clear-content": deletes("empties"),
  "clear-item": deletes("empties"),
  "move-item": moves(true),
  "rename-item": moves(true),
  "copy-item": moves(false),
  "get-content": reads,
  "select-string": reads,
  "import-csv": reads,
  "import-clixml": reads,
  "format-hex": reads,
  "compress-archive": reads,
  "set-content": writes,
  "export-csv": writes,
  "export-clixml": writes,
  "start-transcript": writes,
  "add-content": writes,
  "out-file": writes,
  "tee-object": writes,
  "expand-archive": ({ words }, { scan, state }) => {
    for (const text of valueAt(words, "destinationpath", 1)?.texts ?? values(words).slice(1))
      if (state.fetched) noteDownload(text, scan);
    return undefined;
  },
  "set-location": enter,
  "push-location": enter,
  "pop-location": (_named, { scan }) => {
    scan.cwd = undefined;
    return "low";
  },
};
