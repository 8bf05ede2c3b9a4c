import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { laws, type PlantedFile } from "./architecture/laws.ts";
import { parseSource, readTree } from "./architecture/source-tree.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["src", "demo", "emulator", "test"];
const tree = readTree(root, folders);

/** Where today's code breaks a law: each with its reason, and to be taken out with it. */
const exceptions: Readonly<Record<string, string>> = {
  "src/text/redact.ts has process.threadCpuUsage": "a watch on its own time: a text that takes too long is withheld",
  "src/agent/turn.ts has a loop that may await for ever": "each round asks the model, and a turn has so many",
  "src/agent/wire/request.ts has a loop that may await for ever": "reads what an endpoint sends, to its first word",
  "src/features/intake/tenancy.ts has admitRepository, which calls itself":
    "another process was first: the next finds its pin",
  "src/features/run/execute.ts has a loop that may await for ever":
    "each round asks GitHub because a look grew old; a cancel or a hold ends it",
  "src/features/run/finish-run.ts has a loop that may await for ever":
    "each round waits until other work leaves the room",
  "src/github/conversation.ts has a loop that may await for ever": "asks GitHub for one page after the other",
  "src/pager/fetch.ts has a loop that may await for ever": "follows three redirects",
  "src/sources/mcp.ts has a loop that may await for ever":
    "asks for one page after the other, until the source's time is over",
  "src/ssh/run.ts has exec, which calls itself":
    "opens another session each time, where the clock was set back under this one",
};

describe("the laws of the tree (docs/architecture.md, CONTRIBUTING.md)", () => {
  it("knows the whole tree", () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toContain("src/main.ts");
    expect(paths).toContain("test/architecture.test.ts");
  });

  const found: string[] = [];
  for (const { title, broken, planted, lawful } of laws) {
    const before = broken(tree);
    found.push(...before);

    /** What breaks the law more than before in a tree with this file. */
    const brokenBy = ({ path, text }: PlantedFile): readonly string[] => {
      const others = tree.filter((source) => source.path !== path);
      return broken([...others, parseSource(path, text)]).filter((line) => !before.includes(line));
    };

    it(title, () => {
      expect(before.filter((line) => !(line in exceptions))).toEqual([]);
    });

    it(`a planted file is seen: ${title}`, () => {
      expect(brokenBy(planted)).toContainEqual(expect.stringContaining(dirname(planted.path)));
    });

    if (lawful)
      it(`a file that only comes close breaks nothing: ${title}`, () => {
        expect(brokenBy(lawful)).toEqual([]);
      });
  }

  it("no exception outlives its reason", () => {
    expect(Object.keys(exceptions).filter((line) => !found.includes(line))).toEqual([]);
  });
});
