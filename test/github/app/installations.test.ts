import { afterEach, describe, expect, it } from "vitest";
import { checkAppAccess } from "../../../src/github/app/access.ts";
import { checkApp } from "../../../src/github/app/check.ts";
import { startQuietGitHub } from "../../harness/quiet-github.ts";
import { useStarted } from "../../harness/use-started.ts";

const permissions = { issues: "write", metadata: "read", contents: "read", members: "read" };
const events = ["issues", "issue_comment", "push", "repository"];

describe("the App where it is installed, and who approves", () => {
  const github = useStarted(() =>
    startQuietGitHub({
      repos: [
        { name: "web", private: true, files: {} },
        { name: "open", private: false, files: {} },
      ],
      people: [
        { login: "mona", role: "admin" },
        { login: "lee", role: "write" },
        { login: "rita", role: "read" },
      ],
      teams: { oncall: ["mona"], nobody: [], readers: ["rita"] },
    }),
  );
  afterEach(() => {
    expect(github.invalid()).toEqual([]);
    github.setAppPermissions(permissions);
    github.setAppEvents(events);
    github.unsuspendInstallation();
    github.clearFaults();
  });

  const web = { name: "acme/web", allowPublic: false };
  async function found(change: {
    repositories?: (typeof web)[];
    teams?: string[];
    users?: { login: string; id: number }[];
    minRole?: "maintain";
    proposers?: { users: { id: number }[] };
    placed?: { place: string; teams: string[]; users: { login: string; id: number }[] }[];
  }) {
    const { repositories = [web], teams = ["acme/oncall"], users = [], ...more } = change;
    const app = { appId: github.appId, privateKey: github.privateKey, apiUrl: github.url };
    const ask = { app, repositories, approvers: { teams, users, ...more }, since: new Date(), now: () => new Date() };
    const looks = (await checkApp(ask)).filter(({ name }) => ["installed", "repositories", "approvers"].includes(name));
    for (const { remedy } of looks.flatMap(({ problems, warnings }) => [...problems, ...warnings]))
      expect(remedy).toMatch(/\w{3}/);
    const said = (kind: "problems" | "warnings") =>
      looks.flatMap((look) => look[kind].map(({ place, message }) => `${place} ${message}`));
    return { problems: said("problems"), warnings: said("warnings") };
  }

  it("CONFIG nothing is found where all is well, by requests that GitHub knows and rights that only read", async () => {
    const id = github.person("lee").id;
    expect(await found({ users: [{ login: "lee", id }] })).toEqual({ problems: [], warnings: [] });
    expect(github.minted().at(-1)?.permissions).toEqual({ metadata: "read", members: "read" });
  });

  it("SR-17 CONFIG a repository in which nobody of the roster has the role is named; agents do not count", async () => {
    const nobody = [
      "github.repositories.0 nobody of policy.approvers can approve in acme/web: that takes the role write there",
    ];
    const rita = [{ login: "rita", id: github.person("rita").id }];
    expect(await found({ teams: [], users: rita })).toEqual({ problems: nobody, warnings: [] });
    expect(await found({ teams: ["acme/readers"] })).toEqual({ problems: nobody, warnings: [] });
    expect(await found({ teams: ["acme/oncall"], users: rita })).toEqual({ problems: [], warnings: [] });
    const lee = { login: "lee", id: github.person("lee").id };
    expect(await found({ teams: [], users: [lee] })).toEqual({ problems: [], warnings: [] });
    expect((await found({ teams: [], users: [lee], minRole: "maintain" })).problems).toEqual([
      expect.stringMatching(/takes the role maintain there/),
    ]);
    expect((await found({ teams: [], users: [lee, ...rita], proposers: { users: [lee] } })).problems).toEqual(nobody);
    // GitHub does not say: nothing is claimed.
    github.fault({ method: "GET", path: /\/permission$/ }, { status: 403, body: { message: "no" } });
    expect(await found({ teams: [], users: rita })).toEqual({ problems: [], warnings: [] });
  });

  it("CONFIG an event that the App is not told of is named: without issue_comment no /approve is heard", async () => {
    github.setAppEvents(["issues", "push"]);
    const { appId, privateKey, url: apiUrl } = github;
    const access = await checkAppAccess({ appId, privateKey, apiUrl, usesTeams: true, usesServices: false });
    expect(access.problems.map(({ place, message }) => `${place} ${message}`)).toEqual([
      "the App's events issue_comment is missing: GitHub sends none of them",
      "the App's events repository is missing: GitHub sends none of them",
    ]);
    // Said once: it is the App that lacks them.
    expect((await found({})).problems).toEqual([]);
  });

  it("CONFIG a right that the App asks for and the organization has not accepted, and a suspended installation", async () => {
    github.setGranted({ issues: "read", metadata: "read", contents: "read", members: "read" });
    expect((await found({})).problems).toEqual(["the installation on acme issues: write is asked for and not granted"]);
    github.suspendInstallation();
    expect((await found({})).problems).toEqual([
      expect.stringMatching(/^the installation on acme is suspended since \S+: the bot can do nothing$/),
      // Through it nothing more can be seen.
      "policy.approvers.teams.0 acme has no installation of the App that can be used: nobody in acme/oncall can be seen, or approve",
    ]);
  });

  it("SR-11 a public repository that is not allowed to be, and one that has another name now", async () => {
    const open = { name: "acme/open", allowPublic: false };
    expect((await found({ repositories: [web, open] })).problems).toEqual([
      "github.repositories.1.allow_public acme/open is public and not allowed to be: the bot answers nobody there",
    ]);
    expect((await found({ repositories: [{ ...open, allowPublic: true }] })).problems).toEqual([]);
    github.fault(
      { method: "GET", path: /\/repos\/acme\/web$/ },
      { status: 200, body: { full_name: "acme/shop", private: true, archived: true, has_issues: false } },
    );
    expect((await found({})).problems).toEqual([
      "github.repositories.0.name acme/web is called acme/shop now: the bot answers nobody there",
      "github.repositories.0 acme/web is archived: nothing can be written there",
      "github.repositories.0 acme/web has no issues",
    ]);
  });

  it("SR-14 SR-17 approvers that are none: a team that is not there, is empty or elsewhere, a login with another's id", async () => {
    const users = [
      { login: "lee", id: 1 },
      { login: "ghost", id: 2 },
    ];
    const teams = ["acme/oncall", "acme/gone", "acme/nobody", "other/oncall"];
    expect(await found({ teams, users })).toEqual({
      problems: [
        "policy.approvers.teams.1 there is no team acme/gone that the App can see",
        "policy.approvers.teams.2 acme/nobody has no members: nobody approves by it",
        "policy.approvers.teams.3 other has no installation of the App that can be used: nobody in other/oncall can be seen, or approve",
        `policy.approvers.users.0 lee has the id ${github.person("lee").id}, not 1: whoever has 1 may approve, and lee may not`,
      ],
      warnings: ["policy.approvers.users.1 nobody is called ghost (any more): whoever has the id 2 may approve"],
    });
  });

  it("SR-14 SR-17 approvers that are none in a rule for a place, each with its own key", async () => {
    const placed = [
      { place: "policy.for.0.approvers", teams: ["acme/oncall"], users: [] },
      { place: "policy.for.2.approvers", teams: ["acme/gone"], users: [{ login: "lee", id: 1 }] },
    ];
    expect((await found({ placed })).problems).toEqual([
      "policy.for.2.approvers.teams.0 there is no team acme/gone that the App can see",
      `policy.for.2.approvers.users.0 lee has the id ${github.person("lee").id}, not 1: whoever has 1 may approve, and lee may not`,
    ]);
  });
});
