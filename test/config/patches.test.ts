import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { reloaded } from "../../src/config/reload.ts";
import { serversFor } from "../../src/config/values.ts";
import { useFolder, writerIn } from "../harness/use-started.ts";
import { env } from "./operator.ts";

const folder = useFolder();
const write = writerIn(folder);
write("patches.pem", env.PRIVATE_KEY, 0o600);
write("open.pem", env.PRIVATE_KEY, 0o644);
write("none.pem", "no key", 0o600);

const own = { app_id: 2, private_key_file: "./patches.pem" };
const infra = { repository: "acme/infra", paths: ["k8s/**", "ansible/*.yml"] };

const parse = (config: object, roles?: Parameters<typeof parseConfig>[3]) =>
  parseConfig(JSON.stringify(config), write("countersign.yml", ""), env, roles);

/** A file with one entry of `patches`. */
const withEntry = (entry: object, more: object = {}, github: object = { patches_app: own }) =>
  parse({ github, patches: { infra: { ...infra, ...entry } }, ...more });

const problemsOf = (parsed: ReturnType<typeof parseConfig>) =>
  parsed.ok ? [] : parsed.problems.map(({ message }) => message);

describe("patches in the config", () => {
  it("CFG-1 each is a server of medium risk at GitHub, and a repository reaches it by name or group", () => {
    const repositories = [{ name: "acme/web", servers: ["git"] }, { name: "acme/db" }];
    const parsed = withEntry({ groups: ["git"], description: "the cluster" }, {}, { patches_app: own, repositories });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(parsed.config.servers.get("infra")).toMatchObject({
      host: "api.github.com",
      port: 443,
      user: "",
      os: "linux",
      maxRisk: "medium",
      description: expect.stringMatching(
        /^the cluster\. Patches to acme\/infra, branch main, files k8s\/\*\*, ansible/,
      ),
      patches: { ...infra, base: "main" },
    });
    expect(parsed.config.github.patchesApp).toEqual({ appId: 2, privateKey: env.PRIVATE_KEY.trim() });
    expect(serversFor(parsed.config, "acme/web").map(({ name }) => name)).toEqual(["infra"]);
    expect(serversFor(parsed.config, "acme/db")).toEqual([]);
  });

  it.each<[string, ReturnType<typeof parseConfig>, string | RegExp]>([
    ["no second App", withEntry({}, {}, {}), "no App can propose them: `github.patches_app` is missing"],
    [
      "the bot's own App as the second",
      withEntry({}, {}, { app_id: 2, patches_app: own }),
      "is this bot's own App, which may write to no repository",
    ],
    [
      "a key that others can read",
      withEntry({}, {}, { patches_app: { ...own, private_key_file: "./open.pem" } }),
      /open\.pem has mode 0644: others can read it/,
    ],
    [
      "a key that is none",
      withEntry({}, {}, { patches_app: { ...own, private_key_file: "./none.pem" } }),
      "the App's private key is no PEM private key",
    ],
    ["a path above the root", withEntry({ paths: ["k8s/../**"] }), /is no path below the repository's root/],
    ["an absolute path", withEntry({ paths: ["/k8s"] }), /is no path below the repository's root/],
    ["no path", withEntry({ paths: [] }), /at least 1/],
    ["a base that is no branch", withEntry({ base: "main..x" }), /is no name of a branch/],
    ["a base that begins with a dash", withEntry({ base: "-main" }), /is no name of a branch/],
    ["a name beside its owner", withEntry({ repository: "infra" }), /is not `owner\/name`/],
    [
      "the name of a source",
      withEntry({}, { sources: { infra: { kind: "prometheus", url: "https://prom.example" } } }),
      "`infra` is in `sources` too",
    ],
    [
      "a group that is named like it",
      withEntry({ groups: ["infra"] }),
      "`infra` is a group here and also a server: an approval could mean either",
    ],
  ])("CFG-1 is refused with %s", (_what, parsed, message) => {
    expect(problemsOf(parsed)).toEqual([typeof message === "string" ? message : expect.stringMatching(message)]);
  });

  it("SR-55 a process that only takes webhooks does not read the second App's key", () => {
    const parsed = parse(
      { github: { patches_app: own }, patches: { infra }, store: { url: "postgres://db.example/x" } },
      ["web"],
    );
    expect(parsed.ok && parsed.config.github.patchesApp).toEqual({ appId: 2, privateKey: "" });
  });

  it("CFG-1 another second App waits for a restart, another repository does not", () => {
    const [before, after] = [
      withEntry({}),
      withEntry({ repository: "acme/gitops" }, {}, { patches_app: { ...own, app_id: 3 } }),
    ];
    if (!before.ok || !after.ok) throw new Error("refused");
    const { config, needsRestart } = reloaded(before.config, after.config);
    expect(needsRestart).toEqual(["github.patches_app"]);
    expect(config.github.patchesApp?.appId).toBe(2);
    expect(config.servers.get("infra")?.patches?.repository).toBe("acme/gitops");
  });
});
