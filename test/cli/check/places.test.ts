import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readPlaces } from "../../../src/cli/check/places.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-places-"));
  return () => rmSync(folder, { recursive: true });
});

const fileWith = (text: string): string => {
  const file = join(folder, "countersign.yml");
  writeFileSync(file, text);
  return file;
};

describe("where things are, by the operator's file", () => {
  const broken = [
    "store: { url: file:./data }",
    "github: { repositories: [acme/web] }",
    "alerts: { sources: { a: { kind: smoke } } }",
    "server: { public_url: nowhere }",
    "audit: { checkpoint_file: 5 }",
    "polcy: {}",
    "",
  ].join("\n");

  it("SR-68 the kill switch finds the store whatever else is wrong in the file", () => {
    expect(readPlaces(fileWith(broken)).storeUrl).toBe(`file:${join(folder, "data")}`);
  });

  it.each([
    ["github", /:2:26: `github\.repositories\.0` must be a mapping/],
    ["alerts", /:3:27: `alerts\.sources\.a\.kind` is "smoke"/],
    ["server", /:4:11: `server\.public_url` \("nowhere"\)/],
    ["audit", /:5:10: `audit\.checkpoint_file` must be text, not 5/],
  ] as const)("CONFIG a fault in `%s` is named with its place where that is asked for", (section, problem) => {
    expect(() => readPlaces(fileWith(broken), section)).toThrow(problem);
  });

  it("CONFIG a store that cannot be told is named with its place", () => {
    expect(() => readPlaces(fileWith("store: 5\n"))).toThrow(/:1:1: `store` must be a mapping \(key: value\), not 5/);
  });
});
