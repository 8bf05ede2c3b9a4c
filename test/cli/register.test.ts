import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { patchRights } from "../../src/base/github.ts";
import { addressIn } from "../../src/cli/options.ts";
import { register } from "../../src/cli/register.ts";
import { parseConfig } from "../../src/config/load.ts";
import { newAppUrl, webUrlOf } from "../../src/github/app/access.ts";
import { appKey, startQuietGitHub } from "../harness/quiet-github.ts";
import { useStarted } from "../harness/use-started.ts";

let out: string;
const github = useStarted(() =>
  startQuietGitHub({
    app: { id: 7, slug: "countersign", privateKey: appKey, permissions: { issues: "write" } },
    secondApp: { id: 8, slug: "countersign-patches", privateKey: "", permissions: patchRights, repos: [] },
    repos: [],
  }),
);
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), "countersign-register-"));
  const folder = out;
  return () => rmSync(folder, { recursive: true, force: true });
});

async function occupy() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

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
    html,
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
    const port = new URL(page).port;
    expect(lines[1]).toBe(
      `If that browser is on another machine, run there first, and leave it open: ssh -N -L ${port}:127.0.0.1:${port} ${userInfo().username}@${hostname()}`,
    );
    const config = join(out, "countersign.yml");
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^1\. Install the App on your repositories: http.*\/installations\/new$/),
      `2. Name repositories, servers and approvers in ${config}.`,
      `3. countersign check --config ${config}`,
    ]);
    expect(lines.join("\n")).not.toMatch(/PRIVATE KEY|a-secret-for/);
    rmSync(out, { recursive: true });
  });

  it("issue 4: its page looks like the product, and says what is created, what happens, and where the key goes", async () => {
    const { page, html, done, state } = await begin({ url: undefined, poll: true });
    expect(html).toContain("<h1>Create the GitHub App</h1>");
    expect(html).toContain("<button>Create the GitHub App</button>");
    expect(html).toContain(`<dt>Owner</dt><dd>acme</dd>`);
    expect(html).toContain(`<dt>Files</dt><dd>${out}</dd>`);
    expect(html).toContain(
      "the App's private key and writes it to files on this machine that only your account can read.",
    );
    const style = await fetch(`${page}/page.css`);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(style.headers.get("content-security-policy")).toContain("style-src 'self'");
    expect(await style.text()).toBe(readFileSync("templates/passkey/page.css", "utf8"));
    expect(await (await fetch(`${page}/made?code=abc123&state=other`)).text()).toContain(
      "<p>Nothing was done: this does not come from the page that asked for it.</p>",
    );
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await done;
  });

  it("CONFIG an account without an organization: no members are asked for, and its owner is shown as an approver", async () => {
    const { done, page, action, state, manifest, lines } = await begin({ organization: undefined });
    expect(action).toBe(`${github.url}/settings/apps/new?state=${state}`);
    expect(manifest.default_permissions).toEqual({ issues: "write", metadata: "read", contents: "read" });
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await done;
    expect(lines.at(-2)).toMatch(/policy: \{ approvers: \{ users: \[\{ login: acme, id: \d+ \}\] \} \}$/);
  });

  it("CONFIG a config that is there already is left as it is, and the number of the App is told", async () => {
    const config = join(out, "countersign.yml");
    writeFileSync(config, "github: {}\n");
    const { done, page, state, lines } = await begin();
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await done;
    expect(readFileSync(config, "utf8")).toBe("github: {}\n");
    expect(lines.at(-2)).toMatch(new RegExp(`^2\\. .* was there already: set github\\.app_id to ${github.appId}\\. `));
  });

  it("DC-8 with --poll makes an App without a webhook, and no secret is written", async () => {
    const { done, page, state, manifest } = await begin({ url: undefined, poll: true });
    expect(manifest).toMatchObject({
      url: `${github.url}/acme`,
      hook_attributes: { active: false },
      default_events: [],
    });
    await fetch(`${page}/made?code=abc123&state=${state}`);
    expect((await done).files.map((file) => file.slice(out.length + 1))).toEqual(["app.pem", "countersign.yml"]);
    const config = readFileSync(join(out, "countersign.yml"), "utf8");
    expect(parseConfig(config, join(out, "countersign.yml"), {})).toMatchObject({
      ok: true,
      config: { github: { mode: "poll", webhookSecrets: [] } },
    });
  });

  it("CONFIG with --patches makes the second App: its own rights, key and name, no webhook, and nothing is written beside the key", async () => {
    const { key, config } = { key: join(out, "app.pem"), config: join(out, "countersign.yml") };
    for (const file of [key, config]) writeFileSync(file, "the first App's\n");
    const { done, page, state, manifest, lines } = await begin({ url: undefined, patches: true });
    expect(manifest).toMatchObject({
      name: "Countersign Patches",
      public: false,
      hook_attributes: { active: false },
      default_events: [],
    });
    expect(manifest.default_permissions).toEqual(patchRights);
    await fetch(`${page}/made?code=second1&state=${state}`);
    const { files } = await done;
    expect(files.map((file) => [file.slice(out.length + 1), statSync(file).mode & 0o777])).toEqual([
      ["patches.pem", 0o600],
    ]);
    expect(readFileSync(join(out, "patches.pem"), "utf8")).toBe(github.secondApp?.privateKey);
    for (const file of [key, config]) expect(readFileSync(file, "utf8")).toBe("the first App's\n");
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^1\. Install the App on the repositories that patches are for, .*\/installations\/new$/),
      expect.stringContaining("github: { patches_app: { app_id: 8, private_key_file: ./patches.pem } }"),
      `3. countersign check --config ${config}`,
    ]);
    const again = register({ api: github.url, port: 0, out, patches: true }, () => {});
    await expect(again).rejects.toMatchObject({ problems: [{ place: join(out, "patches.pem") }] });
  });

  it("CONFIG with --patches an address is refused, because nothing is sent there", async () => {
    const made = register({ api: github.url, port: 0, out, patches: true, url: "https://bot.acme.example" }, () => {});
    await expect(made).rejects.toMatchObject({
      problems: [{ place: "--url", message: "means nothing beside --patches" }],
    });
  });

  it("CONFIG the key, which cannot be had again, is written before what may fail", async () => {
    symlinkSync(join(out, "gone"), join(out, "hook.secret"));
    const { done, page, state } = await begin();
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await expect(done).rejects.toThrow(/EEXIST/);
    expect(readFileSync(join(out, "app.pem"), "utf8")).toBe(github.privateKey);
  });

  it("CONFIG a request that another page of the browser makes up ends nothing", async () => {
    const { done, page, state } = await begin();
    for (const path of ["//", "http://[/", "/made?state=%"]) {
      const status = await new Promise((resolve, reject) =>
        get(page, { path }, (response) => resolve(response.resume().statusCode)).on("error", reject),
      );
      expect(status, path).toBe(path.startsWith("/made") ? 400 : 404);
    }
    await fetch(`${page}/made?code=abc123&state=${state}`);
    await done;
  });

  it("CONFIG without --poll and without an address nothing is made, and both are named", async () => {
    await expect(register({ api: github.url, port: 0, out }, () => {})).rejects.toMatchObject({
      problems: [{ place: "--url", remedy: expect.stringMatching(/--poll/) }],
    });
  });

  it("CONFIG a port that is taken is named, with what to do", async () => {
    const { server, port } = await occupy();
    const started = register({ url: "https://bot.acme.example", api: github.url, port, out }, () => {});
    await expect(started).rejects.toMatchObject({
      problems: [
        { place: "--port", message: expect.stringMatching(/is taken/), remedy: expect.stringMatching(/another port/) },
      ],
    });
    server.close();
  });

  it("CONFIG a folder that cannot be written to is named before anything is made at GitHub, which shows a key once", async () => {
    const file = join(out, "a-file");
    writeFileSync(file, "");
    await expect(register({ poll: true, api: github.url, port: 0, out: file }, () => {})).rejects.toMatchObject({
      problems: [{ place: file, message: expect.stringContaining("cannot be written to: it exists already") }],
    });
    expect(readdirSync(out)).toEqual(["a-file"]);
  });

  it.each(["foo", "ftp://x", "https://lee:pw@x", "https://x?y"])("CONFIG %s is no address of a bot", (text) => {
    expect(() => addressIn("--url")(text)).toThrow(/^--url: .* is not a web address — write --url https:\/\/HOST$/);
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
