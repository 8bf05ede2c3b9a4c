import { afterEach, beforeEach, expect, it } from "vitest";
import { createIssues, type Issues } from "../../src/github/issues.ts";
import { endApi, startApi } from "./api.ts";

const place = { installationId: 1, repo: "acme/web", issue: 5 };
const path = "/repos/acme/web/issues/5";
let world: ReturnType<typeof startApi>;
let issues: Issues;
beforeEach(() => {
  world = startApi();
  issues = createIssues(world.client, { appId: 7, privateKey: "", apiUrl: "http://api.github.test" });
});
afterEach(() => expect(endApi()).toBe(true));

it.each([301, 307, 404, 410])("F-15 an issue that GitHub answers %i for is no more, and no error", async (status) => {
  const location = { location: "http://api.github.test/repositories/9/issues/7" };
  world.api.get(path).reply(status, { message: "no" }, location).patch(path).reply(status, { message: "no" }, location);
  expect(await issues.read(place)).toBeUndefined();
  expect(await issues.reopen(place)).toBe(false);
});

it("F-12 a GitHub that fails says nothing of an issue", async () => {
  world.api.get(path).reply(502).patch(path).reply(502);
  await expect(issues.read(place)).rejects.toThrow();
  await expect(issues.reopen(place)).rejects.toThrow();
});
