import { describe, expect, it } from "vitest";
import { createFold } from "../../../src/text/read/fold.ts";
import { fc } from "../../harness/chance.ts";

function folded(...pieces: readonly string[]): string {
  let text = "";
  const fold = createFold((more) => {
    text += more;
  });
  for (const piece of pieces) fold.push(piece);
  fold.finish();
  return text;
}

const second = (i: number): string => `2026-03-01T14:02:${String(i).padStart(2, "0")}Z app[${300 + i}]:`;

describe("AR-14 near-identical lines", () => {
  it("are one line, how often, and the last", () => {
    const text = Array.from({ length: 30 }, (_, i) => `${second(i)} request ${i} failed: no space left\n`).join("");
    expect(folded(`begin\n${text}end\n`)).toBe(
      `begin\n${second(0)} request 0 failed: no space left\n  ⋯ × 30 like it, the last: ⋯\n${second(29)} request 29 failed: no space left\nend\n`,
    );
  });

  it("that are the same to the letter stand once", () => {
    expect(folded("x\n".repeat(4_000))).toBe("x\n  ⋯ × 4,000: the same line each time ⋯\n");
  });

  it("four stay as they are, and so does what only looks alike: rows of a table, another code, another share", () => {
    for (const text of [
      "x\n".repeat(4),
      Array.from({ length: 9 }, (_, i) => `tmpfs  3.2G  1.${i}M  3.2G  ${i}% /run/user/${i}\n`).join(""),
      Array.from({ length: 9 }, (_, i) => `${second(i)} GET / ${i % 2 ? 200 : 500}\n`).join(""),
      Array.from({ length: 9 }, (_, i) => `${second(i)} volume at ${90 + i} %\n`).join(""),
    ])
      expect(folded(text)).toBe(text);
  });

  it("are found however the text is parted, and a text of lines that differ is handed on as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a\n", "b\n", "a", "\n"), { maxLength: 60 }), (pieces) => {
        expect(folded(...pieces)).toBe(folded(pieces.join("")));
      }),
    );
    const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n");
    expect(folded(...text.split(/(?<=7)/))).toBe(text);
  });
});

describe("AR-14 equal sections", () => {
  const pod = (name: string, state = "Running"): string =>
    [
      `Name:             ${name}`,
      "Namespace:        shop",
      "Service Account:  default",
      "Labels:           app=cart",
      "Containers:",
      "  proxy:",
      "    Image:          envoy:1.31",
      "    Ready:          True",
      "    Restart Count:  0",
      "  app:",
      "    Image:          cart:1.4.2",
      `    State:          ${state}`,
      "    Ready:          True",
      "    Limits:",
      "      memory:  64Mi",
      "    Liveness:       http-get http://:8080/healthz delay=0s timeout=1s",
      "Tolerations:      node.kubernetes.io/not-ready:NoExecute op=Exists for 300s",
      "",
      "",
    ].join("\n");

  it("stand once, and of each later one what differs, where it stands", () => {
    const text = folded(pod("cart-1"), pod("cart-2"), pod("cart-3", "Waiting"), pod("cart-4"));
    expect(text.startsWith(pod("cart-1"))).toBe(true);
    expect(text.slice(pod("cart-1").length).split("\n")).toEqual([
      "Name:             cart-2",
      '  ⋯ 17 lines as above, from "Namespace:        shop" ⋯',
      "Name:             cart-3",
      '  ⋯ 10 lines as above, from "Namespace:        shop" ⋯',
      "    State:          Waiting",
      '  ⋯ 6 lines as above, from "Ready:          True" ⋯',
      "Name:             cart-4",
      '  ⋯ 17 lines as above, from "Namespace:        shop" ⋯',
      "",
    ]);
  });

  it("of a stack trace stand once, with how often and the newest time", () => {
    const frames = Array.from({ length: 8 }, (_, i) => `\tat com.acme.Cart.step${i}(Cart.java:${i * 7})\n`).join("");
    const trace = (i: number): string => `${second(i)} java.net.SocketTimeoutException: Read timed out\n${frames}`;
    const text = folded(...Array.from({ length: 9 }, (_, i) => trace(i)), "end\n");
    expect(text).toBe(
      `${trace(0)}${second(8)} java.net.SocketTimeoutException: Read timed out\n  ⋯ × 8: 9 lines as above, from "${second(0)} java.net.SocketTimeoutExcepti…" ⋯\nend\n`,
    );
  });

  it("that are short stay, and what stood apart is never told as one", () => {
    const [a, b] = ["a", "b"].map((name) =>
      Array.from({ length: 6 }, (_, i) => `${name} line ${i} ${"x".repeat(30)}\n`).join(""),
    );
    expect(folded("1\n2\n3\n4\nx\n1\n2\n3\n4\n")).toBe("1\n2\n3\n4\nx\n1\n2\n3\n4\n");
    // Between the first `a` and the second `b` a mark stands.
    expect(folded(`${b}-\n${a}${b}=\n${a}${b}`)).toBe(
      `${b}-\n${a}  ⋯ 6 lines as above, from "b line 0 ${"x".repeat(30)}" ⋯\n=\n  ⋯ 6 lines as above, from "a line 0 ${"x".repeat(30)}" ⋯\n  ⋯ 6 lines as above, from "b line 0 ${"x".repeat(30)}" ⋯\n`,
    );
  });

  it("can each be filled in again from what stands above it", () => {
    const line = fc.constantFrom(...["a", "b", "c", "d"].map((name) => `${name} ${"x".repeat(50)}\n`), "\n");
    const section = fc.array(line, { minLength: 5, maxLength: 9 });
    const text = fc
      .array(section, { minLength: 1, maxLength: 4 })
      .chain((sections) =>
        fc.array(fc.oneof(fc.constantFrom(...sections), fc.tuple(line)), { maxLength: 30 }).map((all) => all.flat()),
      );
    let marks = 0;
    fc.assert(
      fc.property(text, (lines) => {
        const short = folded(lines.join(""));
        fc.pre(!short.includes("the same line each time"));
        let shown: string[] = [];
        let at = 0;
        for (const one of short.split(/(?<=\n)/).filter((each) => each !== "")) {
          const [, times = "1", count, head] =
            /^ {2}⋯ (?:× (\d+): )?(\d+) lines as above, from "(.*)" ⋯\n$/.exec(one) ?? [];
          for (let time = 0; count !== undefined && time < Number(times); time += 1) {
            const folded = lines.slice(at, at + Number(count)).join("");
            expect(folded.trimStart().split("\n")[0]).toBe(head);
            expect(shown.join("")).toContain(folded);
            at += Number(count);
            marks += 1;
          }
          if (count === undefined) expect(one).toBe(lines[at++]);
          shown = [...shown, one];
        }
        expect(at).toBe(lines.length);
      }),
      { numRuns: 300 },
    );
    expect(marks).toBeGreaterThan(100);
  });

  it("cost what their length costs, whatever they are", () => {
    const text = Array.from({ length: 300_000 }, (_, i) => `${i % 7} ${i % 11} ${i % 13}\n`).join("");
    expect(folded(text).length).toBeLessThanOrEqual(text.length);
  });
});
