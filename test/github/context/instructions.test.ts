import { describe, expect, it } from "vitest";
import { appliesTo, maxInstructionBytes, withinBudget } from "../../../src/github/context/instructions.ts";
import { fc } from "../../harness/chance.ts";

describe("OP-2 instructions that name the files they are for", () => {
  it.each([
    ["**", "services/web", true],
    ["**/*", undefined, true],
    ["**", undefined, true],
    ["services/web/**", undefined, false],
    ["**/*.ts", undefined, false],
    ["services/web/**", "services/web", true],
    ["services/web", "services/web", true],
    ["./services/web/", "services/web", true],
    ["services/web/**/*.ts", "services/web", true],
    ["services/web/src/*.ts", "services/web", true],
    ["services/*/src/**", "services/web", true],
    ["services/w?b/**", "services/web", true],
    ["services/{api,web}/**", "services/web", true],
    ["services/{api,db}/**", "services/web", false],
    ["docs/**, services/web/**", "services/web", true],
    ["services/api/**", "services/web", false],
    ["services/webshop/**", "services/web", false],
    ["services", "services/web", false],
    ["*.ts", "services/web", false],
    ["**/web/**", "services/web", true],
    ["**/*.py", "services/web", true],
    ["", "services/web", false],
  ] as const)("applyTo %j and the folder %j: %j", (applyTo, folder, expected) => {
    expect(appliesTo(applyTo, folder)).toBe(expected);
  });

  it("no glob makes it throw or think for long", () => {
    const glob = fc.string({ unit: fc.constantFrom("*", "**", "/", "a", "?", "{", "}", ","), maxLength: 300 });
    fc.assert(
      fc.property(
        glob,
        (applyTo) => typeof appliesTo(applyTo, "a/aaaaaaaaaaaaaaaaaaaaaaaaaaaa/b/a/a/a/a/c") === "boolean",
      ),
    );
    expect(appliesTo(`${"**/a/".repeat(39)}x`, "a/a/a/a/a/a/a/a")).toBe(true);
    expect(appliesTo("*a".repeat(99), `b/${"a".repeat(180)}b`)).toBe(false);
  });
});

describe("OP-2 the budget of 32 KiB", () => {
  const file = (path: string, text: string) => ({ path, text, source: "acme/web@1" });
  const bytesOf = (files: readonly { text: string }[]) =>
    files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

  it("leaves what fits as it is", () => {
    const files = [file("AGENTS.md", "x".repeat(maxInstructionBytes - 3)), file("web/AGENTS.md", "web")];
    expect(withinBudget(files)).toEqual({ files, notes: [] });
  });

  it("cuts the largest first, visibly, and the specific ones stay whole", () => {
    const files = [file("AGENTS.md", "x".repeat(200_000)), file("web/AGENTS.md", "web")];
    const { files: kept, notes } = withinBudget(files);
    expect(kept[1]).toEqual(files[1]);
    expect(kept[0]?.text).toMatch(/^x{32765}\n\n\[… cut here: 167,235 of 200,000 bytes left out …\]$/);
    expect(notes).toEqual(["acme/web@1:AGENTS.md is cut: 167,235 of 200,000 bytes left out"]);
  });

  it("holds for any files, never cuts inside of a character, and forgets none", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 300 }), { maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 600 }), (given, budget) => {
        const files = given.map((text, i) => file(`${i}`, text));
        const { files: kept, notes } = withinBudget(files, budget);
        const bare = kept.map(({ text }) => ({ text: text.replace(/\n\n\[… cut here: .*\]$/, "") }));
        expect(kept).toHaveLength(files.length);
        expect(bytesOf(bare)).toBeLessThanOrEqual(Math.max(budget, 0));
        for (const [i, { text }] of bare.entries()) expect(given[i]?.startsWith(text)).toBe(true);
        expect(notes).toHaveLength(kept.filter((one, i) => one !== files[i]).length);
      }),
    );
  });
});
