import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { halt, liftHalt } from "../../src/cli/halt.ts";
import { serveMcp } from "../../src/cli/mcp.ts";
import { momentIn } from "../../src/cli/options.ts";
import { readPlaces } from "../../src/cli/places.ts";
import { surveyConfig } from "../../src/config/load.ts";
import { haltFileOf, readHaltFile } from "../../src/features/incident/halt.ts";
import { env } from "../config/operator.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";

const folder = useFolder();
const write = writerIn(folder);
const data = `file:${join(folder, "data")}`;

describe("what the command line reads of the operator's file", () => {
  it("SR-68 a heading whose keys are all commented out keeps nobody from a halt, as it keeps no bot from its start", () => {
    const headings =
      "github:\n  repositories:\nstore:\n  url:\nserver:\n  public_url:\naudit:\n  signing_key_file:\nalerts:\n";
    const file = write("headings.yml", headings);
    expect(surveyConfig({ file, env }).ok).toBe(true);
    expect(readPlaces(file)).toMatchObject({ storeUrl: data, repositories: [], audit: {}, publicUrl: undefined });
  });

  it("SR-68 a slip in a section that a halt has no use for does not keep anybody from it; one in the store's place does", () => {
    const slips = "alerts: { sources: { x: { kind: prometheus } } }\naudit: { checkpoint_fil: x }\n";
    const file = write("slips.yml", `${slips}github: { repositories: [{ name: acme/web, servrs: [] }] }\n`);
    const places = readPlaces(file);
    expect(places).toMatchObject({ storeUrl: data, repositories: ["acme/web"] });
    expect(() => places.alertKinds).toThrow(/is "prometheus"/);
    expect(() => places.audit).toThrow(/did you mean|checkpoint_fil/);
    for (const text of ["store: { ulr: postgres://db/x }", "stoer: { url: postgres://db/x }", "- a list"])
      expect(() => readPlaces(write("store.yml", text)).storeUrl, text).toThrow();
  });

  it("AG-4 `mcp --as` of somebody whom the file does not list starts nothing, and says what to write", async () => {
    const mcp = "{ claude: { repositories: [acme/web], servers: [web-1] } }";
    const config = write("agents.yml", `store: { url: file:./data }\npolicy: { proposers: { mcp: ${mcp} } }\n`);
    for (const as of ["nobody", "__proto__", "constructor"])
      await expect(serveMcp({ config, as }), as).rejects.toThrow(
        `there is no agent \`${as}\`, so nothing was started — use one of: claude; or add \`${as}\``,
      );
    await expect(serveMcp({ config, as: "clod" })).rejects.toThrow("nothing was started");
    await expect(serveMcp({ config, as: "cluade" })).rejects.toThrow("did you mean `--as claude`?");
    const none = write("none.yml", "store: { url: file:./data }\n");
    await expect(serveMcp({ config: none, as: "nobody" })).rejects.toThrow("add `nobody` with its repositories");
  });

  it("CFG-1 `~` is the home of whoever runs the bot in the store's address too", () => {
    expect(readPlaces(write("home.yml", "store: { url: file:~/data }")).storeUrl).toBe(
      `file:${join(homedir(), "data")}`,
    );
  });
});

it("SR-68 of halts that several give at once none is lost, and one that was killed in the middle keeps nobody from the next", {
  tags: ["long"],
}, async () => {
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `acme/${name}`);
  const repositories = names.map((name) => ({ name }));
  const config = write("halt.yml", JSON.stringify({ store: { url: "file:./halted" }, github: { repositories } }));
  const scopes = async () => {
    const state = await readHaltFile(haltFileOf(`file:${join(folder, "halted")}`) ?? "");
    return state.kind === "read" && state.entries.filter(({ halted }) => halted).map(({ scope }) => scope);
  };
  await Promise.all(names.map((repo) => halt({ config, repo })));
  expect(await scopes()).toEqual(expect.arrayContaining(names));
  write("halted/halt.lock", "");
  await liftHalt({ config, repo: "acme/c" });
  expect(await scopes()).not.toContain("acme/c");
});

it.each(["5", "14", "March", "2026-02-31", "03-01", "2026-03-01T14:00"])("CONFIG %s is no time", (text) => {
  expect(() => momentIn("--since", text)).toThrow(/is no time/);
});
