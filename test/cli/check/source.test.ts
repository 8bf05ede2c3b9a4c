import { describe, expect, it } from "vitest";
import { lookAtSource, sourceRunner } from "../../../src/cli/check/source.ts";
import { ca, standIn, success } from "../../sources/stand-in.ts";
import { sourceServer } from "../../sources/world.ts";

describe("check of a source", () => {
  it("CFG-1 asks it a question without data, and says why it does not answer", async () => {
    const { url, asked } = await standIn(success("vector", [{ metric: {}, value: [1, "1"] }]));
    expect(await lookAtSource(sourceRunner(), sourceServer({ kind: "loki", url, ca }))).toEqual({
      said: `${url} answers queries`,
    });
    expect(asked).toMatchObject([{ url: "POST /loki/api/v1/query", form: { query: "vector(1)", limit: "1" } }]);
    const denied = await standIn({ status: "error", error: "no such token" }, 401);
    const problem = { place: "sources.prom", remedy: expect.stringContaining("token_file") };
    expect(await lookAtSource(sourceRunner(), sourceServer({ url: denied.url, ca }))).toMatchObject({
      problems: [{ ...problem, message: "HTTP 401: no such token" }],
    });
    expect(await lookAtSource(sourceRunner(), sourceServer({ url, ca, tokenFile: "/none" }))).toMatchObject({
      problems: [{ ...problem, message: expect.stringContaining("the token of prom cannot be read") }],
    });
  });
});
