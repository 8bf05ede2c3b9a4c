import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { register } from "../../src/cli/register.ts";
import { type EmulatedGitHub, startGitHub } from "../../src/demo/github/start.ts";
import { newAppUrl, webUrlOf } from "../../src/github/app-manifest.ts";

let github: EmulatedGitHub;
let out: string;
beforeAll(async () => {
  github = await startGitHub({
    app: { id: 7, slug: "countersign", privateKey: "", permissions: { issues: "write" } },
    owner: "acme",
    repos: [],
    people: [{ login: "mona", role: "admin" }],
    webhook: { url: "http://127.0.0.1:9/nobody-listens", secret: "a-secret-for-this-test-only-0123456789" },
  });
});
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "countersign-register-"));
});
afterAll(() => github.close());

/** Starts it and waits for the address it prints. */
async function begin(more: object = {}) {
  const lines: string[] = [];
  const printed = Promise.withResolvers<string>();
  const options = { url: "https://bot.acme.example/", api: github.url, organization: "acme", port: 0, out, ...more };
  const done = register(options, (line) => {
    lines.push(line);
    printed.resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? "");
  });
  const page = await printed.promise;
  const html = await (await fetch(`${page}/`)).text();
  const read = (name: string) =>
    (new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  const action = read("action");
  return {
    lines,
    done,
    page,
    action,
    state: new URL(action).searchParams.get("state") ?? "",
    manifest: JSON.parse(read("value")),
  };
}

describe("register", () => {
  it("CONFIG the whole way: form, state, code, files of mode 0600, and what comes next", async () => {
    const { done, page, action, state, manifest, lines } = await begin();
    expect(action).toBe(`${github.url}/organizations/acme/settings/apps/new?state=${state}`);
    expect(manifest).toMatchObject({
      url: "https://bot.acme.example",
      redirect_url: `${page}/made`,
      hook_attributes: { url: "https://bot.acme.example/api/github/webhooks", active: true },
      public: false,
      default_permissions: { issues: "write", metadata: "read", contents: "read", members: "read" },
    });
    expect((await fetch(`${page}/made?code=abc123&state=${state}`)).status).toBe(200);
    const { files } = await done;
    expect(files.map((file) => [file.slice(out.length + 1), statSync(file).mode & 0o777])).toEqual([
      ["app.pem", 0o600],
      ["hook.secret", 0o600],
      ["countersign.yml", 0o600],
    ]);
    expect(readFileSync(join(out, "app.pem"), "utf8")).toBe(github.privateKey);
    expect(readFileSync(join(out, "hook.secret"), "utf8").trim()).toBe("a-secret-for-this-test-only-0123456789");
    expect(readFileSync(join(out, "countersign.yml"), "utf8")).toContain(`app_id: ${github.appId}`);
    expect(lines.join("\n")).toContain("/installations/new");
    expect(lines.join("\n")).not.toMatch(/PRIVATE KEY|a-secret-for/);
    rmSync(out, { recursive: true });
  });

  it("CONFIG a code with another state, or for another host, does nothing; the right one still does", async () => {
    const { done, page, state } = await begin();
    const wrong = await fetch(`${page}/made?code=abc123&state=${"x".repeat(43)}`);
    expect(wrong.status).toBe(400);
    expect((await fetch(`${page}/made?code=abc123`)).status).toBe(400);
    expect((await fetch(`${page}/made?code=a/../b&state=${state}`)).status).toBe(400);
    expect((await fetch(page.replace("127.0.0.1", "localhost"))).status).toBe(403);
    expect(wrong.headers.get("content-security-policy")).toContain("default-src 'none'");
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await done;
  });

  it("CONFIG a key that is there already is never overwritten: nothing is made at GitHub", async () => {
    writeFileSync(join(out, "app.pem"), "the only copy");
    await expect(
      register({ url: "https://bot.acme.example", api: github.url, port: 0, out }, () => {}),
    ).rejects.toMatchObject({ problems: [{ place: join(out, "app.pem") }] });
    expect(readFileSync(join(out, "app.pem"), "utf8")).toBe("the only copy");
  });

  it.each([
    { api: "https://api.github.com", web: "https://github.com" },
    { api: "https://ghe.acme.example/api/v3", web: "https://ghe.acme.example" },
    { api: "https://ghe.acme.example/api/v3/", web: "https://ghe.acme.example" },
  ])("CONFIG the page of $api is $web", ({ api, web }) => {
    expect(webUrlOf(api)).toBe(web);
    expect(newAppUrl(web, undefined, "s")).toBe(`${web}/settings/apps/new?state=s`);
  });
});
