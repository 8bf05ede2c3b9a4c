import { beforeEach, describe, expect, it } from "vitest";
import { createLabels, type Labels } from "../../src/github/issues.ts";
import { usePlace } from "./place.ts";

const here = usePlace({ labels: ["theirs"] });
let labels: Labels;
beforeEach(() => {
  labels = createLabels(here.client);
});
const label = { name: "bot: held", color: "d93f0b", description: "Nothing is sent." };

describe("labels on GitHub", () => {
  it("DC-1 are listed, put on and taken off with no more than `issues: write`, and no one else's are touched", async () => {
    expect(labels.isListed(here.place.repo, label.name)).toBe(false);
    expect(await labels.list(here.place, label)).toEqual({ kind: "posted" });
    expect(labels.isListed("Acme/Web", "Bot: Held")).toBe(true);
    expect(await labels.add(here.place, ["bot: held", "bot: running"])).toEqual({
      kind: "posted",
      on: expect.arrayContaining(["theirs", "bot: held", "bot: running"]),
    });
    expect(await labels.remove(here.place, "bot: running")).toEqual({
      kind: "posted",
      on: expect.not.arrayContaining(["bot: running"]),
    });
    const { body } = await here.world.gh.as("mona")("GET", `/repos/acme/web/issues/${here.place.issue}/labels`);
    expect(body).toEqual([
      expect.objectContaining({ name: "theirs" }),
      expect.objectContaining({ name: "bot: held", color: "d93f0b" }),
    ]);
  });

  it("RR-07 what is there, or gone, already is done", async () => {
    here.world.gh.fault({ method: "POST", path: /\/labels$/ }, { status: 422, body: { message: "already_exists" } });
    expect(await labels.list(here.place, label)).toEqual({ kind: "posted" });
    expect(await labels.remove(here.place, "bot: never there")).toEqual({ kind: "posted", on: undefined });
  });

  it("RR-08 a failure is data: a refusal, a limit, no answer", async () => {
    const refused = { status: 403, body: { message: "Resource not accessible by integration" } };
    for (const work of [() => labels.list(here.place, label), () => labels.add(here.place, ["a"])]) {
      here.world.gh.fault({ path: /labels/ }, refused);
      expect(await work()).toMatchObject({ kind: "never" });
    }
    expect(labels.isListed(here.place.repo, label.name)).toBe(false);
    here.world.gh.fault({ path: /labels/ }, { status: 429, headers: { "retry-after": "90" } });
    expect(await labels.add(here.place, ["a"])).toMatchObject({ kind: "later", afterMs: 90_000 });
    here.world.gh.fault({ path: /labels/ }, { drop: "before" });
    expect(await labels.remove(here.place, "theirs")).toMatchObject({ kind: "ambiguous" });
  });
});
