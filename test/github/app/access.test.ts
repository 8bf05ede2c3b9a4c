import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkAppAccess } from "../../../src/github/app/access.ts";
import { startQuietGitHub } from "../../harness/quiet-github.ts";
import { useStarted } from "../../harness/use-started.ts";

const permissions = { issues: "write", metadata: "read", contents: "read", members: "read" };

describe("the App as GitHub knows it", () => {
  const github = useStarted(() => startQuietGitHub({ repos: [] }));
  const ask = (change: object = {}) =>
    checkAppAccess({
      appId: 7,
      privateKey: github.privateKey,
      apiUrl: github.url,
      usesTeams: true,
      usesServices: false,
      ...change,
    });

  it("SR-08 DC-7 is found by its key, with exactly what it needs", async () => {
    expect(await ask()).toEqual({ ok: true, slug: "countersign", problems: [], warnings: [], excess: [] });
    expect(github.invalid()).toEqual([]);
  });

  it("SR-08 is to be private: one that strangers are told of is a warning", async () => {
    github.fault({ method: "GET", path: /\/apps\/countersign$/ }, { status: 200, body: {} });
    expect(await ask()).toMatchObject({
      ok: true,
      problems: [],
      warnings: [
        { place: "the App's visibility", message: expect.stringMatching(/public/), remedy: expect.any(String) },
      ],
    });
    github.fault({ method: "GET", path: /\/apps\/countersign$/ }, { drop: "before" });
    expect(await ask()).toMatchObject({ ok: true, warnings: [] });
  });

  it("CH-03 SR-08 what shows changes is optional where services are named, and more than the bot needs where none are", async () => {
    const warned = async (): Promise<readonly string[]> => {
      const access = await ask({ usesServices: true });
      expect(access.problems).toEqual([]);
      return access.ok ? access.warnings.map(({ message }) => message) : [];
    };
    const without = (right: string): string =>
      `${right}: read is missing: what changed in \`context.services\` is told without what it shows`;
    expect(await warned()).toEqual(["pull_requests", "deployments", "actions"].map(without));
    github.setAppPermissions({ ...permissions, pull_requests: "read", deployments: "read" });
    expect(await warned()).toEqual([without("actions")]);
    expect((await ask()).problems.map(({ message }) => message)).toEqual([
      "pull_requests: read is more than the bot needs",
      "deployments: read is more than the bot needs",
    ]);
    github.setAppPermissions(permissions);
  });

  it("SR-08 a right too many or too few is named with its remedy", async () => {
    expect(await ask({ usesTeams: false })).toMatchObject({
      problems: [],
      excess: [],
      warnings: [{ message: "members: read is not used while `policy.approvers` names no team" }],
    });
    github.setAppPermissions({ issues: "read", metadata: "read", contents: "write", members: "read" });
    expect((await ask()).problems.map(({ message }) => message)).toEqual([
      "issues: write is missing",
      "contents: write is more than the bot needs",
    ]);
    github.setAppPermissions(permissions);
  });

  it("a key that is not the App's, and a GitHub that is not there, are problems and no exceptions", async () => {
    const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
      .privateKey.export({ type: "pkcs1", format: "pem" })
      .toString();
    expect(await ask({ privateKey })).toMatchObject({ ok: false, problems: [{ place: "github.app_id" }] });
    expect(await ask({ apiUrl: "http://127.0.0.1:9" })).toMatchObject({ ok: false });
  });
});
