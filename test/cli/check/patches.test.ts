import { beforeEach, expect, it } from "vitest";
import { patchRights } from "../../../src/base/github.ts";
import { patchesLook } from "../../../src/cli/check/check.ts";
import { start } from "../../../src/cli/start.ts";
import { surveyConfig } from "../../../src/config/load.ts";
import { checkPatchesAccess } from "../../../src/github/app/patches-app.ts";
import { appKey, startQuietGitHub } from "../../harness/quiet-github.ts";
import { useFolder, useStarted, writerIn } from "../../harness/use-started.ts";

const folder = useFolder();
const write = writerIn(folder);
const github = useStarted(() =>
  startQuietGitHub({
    secondApp: { id: 8, slug: "countersign-patches", privateKey: appKey, permissions: patchRights, repos: ["infra"] },
    repos: [
      { name: "web", private: true, files: {} },
      { name: "infra", private: true, files: { "k8s/web.yaml": "a\n" } },
    ],
  }),
);
const app = () => {
  const { secondApp } = github;
  if (!secondApp) throw new Error("the seed has a second App");
  return secondApp;
};
beforeEach(() => {
  app().setPermissions(patchRights);
  app().include("acme/infra", true);
  app().include("acme/web", false);
  app().setState("active");
  github.fault({ method: "GET", path: /\/apps\/countersign-patches$/ }, { status: 404, body: {} });
  return () => github.clearFaults();
});

const fileOf = (entry: object = {}, key = appKey): string =>
  write(
    "countersign.yml",
    JSON.stringify({
      github: {
        app_id: 7,
        private_key_file: write("app.pem", appKey),
        api_url: github.url,
        mode: "poll",
        patches_app: { app_id: 8, private_key_file: write("patches.pem", key) },
      },
      patches: { infra: { repository: "acme/infra", paths: ["k8s/**"], ...entry } },
    }),
  );

async function look(entry: object = {}) {
  const survey = surveyConfig({ file: fileOf(entry), env: {} });
  if (!survey.ok) throw new Error(JSON.stringify(survey.problems));
  const rows = [];
  for await (const row of await patchesLook.look({ config: survey.config, gaps: new Set() }, () => {})) rows.push(row);
  return {
    said: rows.map(({ name, said }) => `${name}: ${said}`),
    problems: rows.flatMap(({ problems = [] }) => problems.map(({ place, message }) => `${place}: ${message}`)),
    warnings: rows.flatMap(({ warnings = [] }) => warnings.map(({ place, message }) => `${place}: ${message}`)),
  };
}

it("CONFIG shows the second App and each repository with its branch", async () => {
  expect(await look()).toEqual({
    said: [
      "patches: App countersign-patches, which alone may write to repositories",
      expect.stringMatching(/^infra: acme\/infra, main at [0-9a-f]{7}, files k8s\/\*\*$/),
    ],
    problems: [],
    warnings: [],
  });
  expect(github.invalid()).toEqual([]);
});

it.each<[string, () => void, string]>([
  [
    "a right that it has in vain",
    () => app().setPermissions({ ...patchRights, workflows: "write" }),
    "the permissions of the App for patches: workflows: write is more than the bot needs",
  ],
  [
    "more of one than it uses",
    () => app().setPermissions({ ...patchRights, checks: "write" }),
    "the permissions of the App for patches: checks: write is more than the bot needs",
  ],
  [
    "a right that is missing",
    () => app().setPermissions({ ...patchRights, contents: "read" }),
    "the permissions of the App for patches: contents: write is missing",
  ],
  [
    "a right that the owner has not granted",
    () => app().setGranted({ ...patchRights, pull_requests: "read" }),
    "patches.infra: pull_requests: write is not granted on acme/infra",
  ],
  [
    "no installation there",
    () => app().include("acme/infra", false),
    "patches.infra: the App for patches is not installed on acme/infra, or there is no such repository",
  ],
  [
    "a suspended one",
    () => app().setState("suspended"),
    "patches.infra: the App for patches is suspended on acme/infra",
  ],
])("CONFIG finds %s", async (_what, change, problem) => {
  change();
  expect((await look()).problems).toContain(problem);
});

it("CONFIG finds a base branch that is missing, and names the default one", async () => {
  const { problems } = await look({ base: "prod" });
  expect(problems).toEqual(["patches.infra.base: acme/infra has no branch prod"]);
});

it("CONFIG warns where it is installed besides, and if anybody may install it", async () => {
  github.clearFaults();
  app().include("acme/web", true);
  github.fault({ method: "GET", path: /\/apps\/countersign-patches$/ }, { status: 200, body: {} });
  const { problems, warnings } = await look();
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    "the visibility of the App for patches: the App is public: anybody may install it",
    "the installation of the App for patches: it may write to repositories that `patches` does not name: acme/web",
  ]);
});

it("CONFIG a key that GitHub does not know is the second App's", async () => {
  const access = await checkPatchesAccess({ appId: 9, privateKey: appKey, apiUrl: github.url });
  expect(access).toMatchObject({ slug: undefined, problems: [{ place: "github.patches_app" }] });
});

it.each<[string, Readonly<Record<string, string>>]>([
  ["administration", { ...patchRights, administration: "write" }],
  ["workflows", { ...patchRights, workflows: "write" }],
])("SR-08 the bot does not start with a second App that has %s", async (name, rights) => {
  github.setAppPermissions({ issues: "write", metadata: "read", contents: "read" });
  app().setPermissions(rights);
  await expect(start({ config: fileOf() })).rejects.toMatchObject({
    problems: [{ message: `${name}: write is more than the bot needs` }],
  });
});
