import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endUnknown, findUnknownReason, unknownReasons, whyUnknown } from "../../src/base/unknown.ts";
import { readTree, root } from "../architecture/source-tree.ts";

/** A sentence with its values left out, as the page shows it. */
const shown = (says: string): string => says.replace(/ ?\{\w+\}/g, (value) => (value.startsWith(" ") ? " …" : "…"));

describe("RR-06 the reasons why a run is UNKNOWN", () => {
  it("stand in docs/on-call.md, each with what to do, and no other does", () => {
    const page = readFileSync(`${root}docs/on-call.md`, "utf8");
    const section = page.split("\n### Why a run is UNKNOWN\n")[1]?.split("\n## ", 1)[0] ?? "";
    const rows = [...section.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1).map(([, says, next]) => [says, next]);
    expect(rows).toEqual(Object.values(unknownReasons).map(({ says, next }) => [shown(says), next]));
  });

  it("are all in use", () => {
    const texts = readTree(root, ["src"]).flatMap(({ path, text }) => (path === "src/base/unknown.ts" ? [] : [text]));
    const unused = Object.keys(unknownReasons).filter((code) => !texts.some((text) => text.includes(`"${code}"`)));
    expect(unused).toEqual([]);
  });

  it("are the only ones: no other file of src/ writes the reason of such an end", () => {
    const writers = readTree(root, ["src"])
      .filter(({ text }) =>
        // `lost` is a sentence of the table by its type.
        [...text.matchAll(/[{][^{}]*[}]/g)].some(
          ([literal]) => /\bkind: "unknown"/.test(literal) && /(?<!readonly )\breason(?!: lost\b)/.test(literal),
        ),
      )
      .map(({ path }) => path);
    expect(writers).toEqual(["src/base/unknown.ts"]);
  });

  it("take each value as it is, once", () => {
    const values = { what: "It took $& {check} long", check: " `kubectl get pods` shows it." };
    expect(whyUnknown("change-not-confirmed", values)).toBe(
      "It took $& {check} long, so it is not known whether the change was made. `kubectl get pods` shows it.",
    );
    expect(endUnknown("bot-stopped", { check: "" })).toEqual({
      kind: "unknown",
      reason: "The bot stopped while this was on its way, so its result is unknown.",
    });
  });

  it.each(Object.entries(unknownReasons))("%s is found again by its sentence, whatever fills it", (_code, row) => {
    for (const value of ["web-1", "", "a; b", "{where}", "$&\n.*", "the server was restarted", "so, so"])
      expect(findUnknownReason(row.says.replace(/\{\w+\}/g, () => value))).toBe(row);
  });

  it("are found by what says most, of several that fit", () => {
    const lost = whyUnknown("end-not-seen", { how: "web-1 closed the session" });
    const jobLost = whyUnknown("job-not-followed", { lost, where: "its files are in /run/user/7" });
    expect(findUnknownReason(lost)).toBe(unknownReasons["end-not-seen"]);
    expect(findUnknownReason(jobLost)).toBe(unknownReasons["job-not-followed"]);
    expect(findUnknownReason(whyUnknown("stop-not-seen", { lost: jobLost }))).toBe(unknownReasons["stop-not-seen"]);
  });

  it.each(["", "lost", "the server did not say how the command ended.", "it was ended together with what watched it"])(
    "are not found behind another sentence: %j",
    (sentence) => {
      expect(findUnknownReason(sentence)).toBeUndefined();
    },
  );
});
