import { describe, expect, it } from "vitest";
import { findCommand, processQuery, readProcesses, survivorsOf, type WindowsProcess } from "../../../src/ssh/stop.ts";

const process = (pid: number, parent: number, started: number, name: string): WindowsProcess => ({
  pid,
  parent,
  started: BigInt(started),
  name,
});

const base = [
  process(4, 0, 0, "System"),
  process(10, 4, 1, "services.exe"),
  process(20, 10, 2, "sshd.exe"),
  process(30, 20, 3, "sshd-session.exe"),
  process(40, 30, 10, "cmd.exe"),
  process(41, 40, 11, "conhost.exe"),
  process(42, 40, 12, "powershell.exe"),
  process(43, 42, 13, "robocopy.exe"),
  process(50, 30, 20, "cmd.exe"),
  process(51, 50, 21, "ping.exe"),
  process(60, 30, 30, "cmd.exe"),
  process(61, 60, 31, "powershell.exe"),
];
const list = { self: 61, processes: base };
const pids = (processes: readonly WindowsProcess[]): readonly number[] => processes.map(({ pid }) => pid);

describe("the processes of a Windows server", () => {
  it("reads a whole answer, past whatever else is printed, and none that was cut off", () => {
    const answer =
      "Welcome\r\n@countersign self 61\r\n@countersign process 61 60 638000000000000031 power shell.exe\r\n@countersign done\r\n";
    expect(readProcesses(answer)).toEqual({
      self: 61,
      processes: [{ pid: 61, parent: 60, started: 638000000000000031n, name: "power shell.exe" }],
    });
    expect(readProcesses(answer.replace("@countersign done\r\n", ""))).toBeUndefined();
    expect(readProcesses("'powershell.exe' is not recognized")).toBeUndefined();
  });

  it("F-29 their starts are told in universal time: of two, the later one is later also where summer time ends between them", () => {
    const [, encoded = ""] = /-EncodedCommand (\S+)/.exec(processQuery) ?? [];
    const query = Buffer.from(encoded, "base64").toString("utf16le");
    expect(query).toContain("$_.CreationDate.ToUniversalTime().Ticks");
  });

  it.each([
    [0, [40, 41, 42, 43]],
    [1, [50, 51]],
  ])("F-29 the command at %i is found with all below it", (index, tree) => {
    const found = findCommand(list, { index, count: 2 });
    expect(found.kind === "found" && pids(found.tree).toSorted()).toEqual(tree);
  });

  it("F-29 where the count differs nothing is found, and where nothing runs it is absent", () => {
    expect(findCommand(list, { index: 0, count: 1 })).toEqual({ kind: "unsure" });
    expect(findCommand(list, { index: 2, count: 3 })).toEqual({ kind: "unsure" });
    const alone = { self: 61, processes: base.filter(({ pid }) => pid < 40 || pid >= 60) };
    expect(findCommand(alone, { index: 0, count: 1 })).toEqual({ kind: "absent" });
  });

  it("F-29 a list without an sshd above it finds nothing", () => {
    const orphan = { self: 61, processes: base.filter(({ pid }) => pid !== 30) };
    expect(findCommand(orphan, { index: 0, count: 2 })).toEqual({ kind: "unsure" });
  });

  it("a pid that was used again is nobody's parent, and no survivor", () => {
    const again = [...base, process(70, 51, 5, "old.exe")];
    const found = findCommand({ self: 61, processes: again }, { index: 1, count: 2 });
    if (found.kind !== "found") throw new Error("not found");
    expect(pids(found.tree)).toEqual([50, 51]);
    expect(survivorsOf(found.tree, { self: 61, processes: [process(51, 10, 99, "new.exe")] })).toEqual([]);
  });

  it("F-30 what still runs of the tree, or was started by it since, survives", () => {
    const found = findCommand(list, { index: 0, count: 2 });
    if (found.kind !== "found") throw new Error("not found");
    const after = [process(43, 42, 13, "robocopy.exe"), process(80, 43, 40, "child.exe"), process(81, 80, 41, "x.exe")];
    expect(pids(survivorsOf(found.tree, { self: 99, processes: after }))).toEqual([43, 80, 81]);
    expect(survivorsOf(found.tree, { self: 99, processes: base.slice(0, 4) })).toEqual([]);
  });

  it("with a terminal the console stands above its program, and is the command", () => {
    const tty = [...base.slice(0, 4), process(40, 30, 10, "conhost.exe"), process(41, 40, 11, "cmd.exe")];
    const own = [process(60, 30, 30, "cmd.exe"), process(61, 60, 31, "powershell.exe")];
    expect(findCommand({ self: 61, processes: [...tty, ...own] }, { index: 0, count: 1 })).toMatchObject({
      kind: "found",
      leader: { pid: 40 },
    });
  });
});
