import { describe, expect, it, test } from "vitest";
import { createPeerReader } from "../../../src/text/read/peers.ts";

/** Lines that turn out odd, in the order in which that is known. */
function oddIn(text: string): readonly string[] {
  const read = createPeerReader();
  return text.split("\n").flatMap((line) => read(line).odd.map((odd) => odd.line.trim()));
}

const rows = (...states: readonly string[]): readonly string[] =>
  states.map((state, index) => `node-${index}      10.3.0.${index}   ${state.padEnd(14)}  rack ${index % 2}`);

describe("AR-15 a row that is not as its peers are", () => {
  const words = ["Wedged", "detached", "NO_CARRIER", "out of service", "Quarantined", "gone"];

  it.each(words)("is found wherever it stands, with a head and without: %s", (odd) => {
    for (const place of [0, 1, 2, 3]) {
      const table = rows(...["Connected", "Connected", "Connected"].toSpliced(place, 0, odd));
      for (const head of [[], ["NAME        ADDRESS    STATE           RACK"]])
        expect(oddIn([...head, ...table].join("\n"))).toEqual([table[place]?.trim()]);
    }
  });

  test.each([
    ["bars", "| a | ok |\n| c | ok |\n| b | wedged |", "| b | wedged |"],
    ["a drawn table", "│ a │ ok │\n│ c │ ok │\n│ b │ wedged │", "│ b │ wedged │"],
    ["tabs", "a\tup\nb\tup\nc\twedged", "c\twedged"],
    ["commas", "a,1,up\nb,2,up\nc,3,wedged", "c,3,wedged"],
    ["single blanks", "a up 1\nb up 2\nc wedged 3", "c wedged 3"],
    ["fields of one name", "port: 1\n link: up\nport: 2\n link: wedged\nport: 3\n link: up", "link: wedged"],
    ["two rows under a name that says it", "volume   health\nv1       Clean\nv2       Wedged", "v2       Wedged"],
    [
      "columns that share a word",
      "job    A       B\nj1     ready   ready\nj2     ready   wedged",
      "j2     ready   wedged",
    ],
    ["an errors counter", "port  rx-err\np1         0\np2       311\np3         0", "p2       311"],
    [
      "a table below a long log",
      `${"12:01 took job\n".repeat(300)}${rows("up", "up", "wedged").join("\n")}`,
      rows("up", "up", "wedged")[2],
    ],
    ["counters, each in a line", "read_errs 0\nwrite_errs 0\nflush_errs 1,204", "flush_errs 1,204"],
  ])("is found in %s", (_form, output, odd) => expect(oddIn(output)).toEqual([odd?.trim()]));

  test.each([
    ["roles and rests", rows("Connected", "Connected", "standby", "disabled", "idle", "completed").join("\n")],
    [
      "names of columns",
      "NAME   READY   AVAILABLE   STATE\nweb    1/1     1           ok\napi    1/1     1           ok",
    ],
    ["a second table below", "A    STATE\na1   up\na2   up\nB    OWNER   SHARE\nb1   lena    rw"],
    ["a word without peers", rows("Wedged", "Detached", "gone").join("\n")],
    ["more of other words than of good ones", rows("up", "up", "red", "blue", "cyan").slice(0, 2).join("\n")],
    ["a few errors", "port  rx-err\np1         0\np2         3\np3         0"],
    ["sentences", "the relay is up and the other one is up too, as far as we know here\nand so it is"],
  ])("is none: %s", (_form, output) => expect(oddIn(output)).toEqual([]));

  it("costs a bounded memory and time, whatever is read", () => {
    const read = createPeerReader();
    for (const line of [" ".repeat(399), "a: ".repeat(130), "1,".repeat(190), "x  ".repeat(130), "9".repeat(400)])
      for (let index = 0; index < 2_000; index += 1) read(line);
    expect(read("a  up").odd).toEqual([]);
  });
});
