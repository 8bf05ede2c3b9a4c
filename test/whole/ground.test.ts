import { spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { commands } from "../../src/commands/slash-comment.ts";
import { environment, parseConfig } from "../../src/config/load.ts";
import { isNode, type Node, readTree } from "../architecture/source-tree.ts";
import { missing } from "../harness/missing.ts";
import { useFolder } from "../harness/use-started.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const tree = readTree(root, ["src"]);
const manifest = JSON.parse(read("package.json"));
const readme = read("README.md");

describe("app.yml", () => {
  const text = read("app.yml");
  const app = parse(text);

  it("DC-1 is a manifest that GitHub takes: a name, a home and a full webhook address", () => {
    expect(app).toEqual({
      name: expect.stringMatching(/^.{1,34}$/),
      url: expect.stringMatching(/^https:\/\/[^/]+$/),
      description: expect.any(String),
      public: false,
      hook_attributes: { url: `${app.url}/api/github/webhooks`, active: true },
      default_permissions: expect.any(Object),
      default_events: expect.any(Array),
    });
  });

  it("DC-1 SR-08 asks for the least permissions and no more", () => {
    expect(app.default_permissions).toEqual({ issues: "write", metadata: "read", contents: "read", members: "read" });
  });

  it("DC-1 lists exactly the events that src/service/worker.ts handles", () => {
    const isRoutes = ({ type, id }: Node) => type === "VariableDeclarator" && isNode(id) && id.name === "routes";
    const table = tree.find(({ path }) => path === "src/service/worker.ts")?.nodes.find(isRoutes)?.init;
    const entries = isNode(table) && isNode(table.expression) ? table.expression.properties : undefined;
    const handled = (Array.isArray(entries) ? entries : [])
      .flatMap(({ key }: Node) => (isNode(key) ? [String(key.name ?? key.value)] : []))
      .map((name) => name.split(".")[0] ?? "");
    // Of its own installation every App hears without asking; GitHub refuses a manifest that lists these.
    const asked = handled.filter((name) => !name.startsWith("installation"));
    expect([...app.default_events].sort()).toEqual([...new Set(asked)].sort());
    expect(handled.length).toBeGreaterThan(0);
  });

  it("DC-1 holds no apostrophe, since its text travels in a quoted form value", () => {
    expect(text).not.toMatch(/['’]/);
  });
});

describe("packages", () => {
  const folder = useFolder();
  const all: Readonly<Record<string, string>> = { ...manifest.optionalDependencies, ...manifest.devDependencies };

  it("DC-7 has the packages that the design card names, each at an exact version", () => {
    for (const name of ["probot", "@octokit/rest", "openai", "ssh2", "yaml", "pino"]) {
      expect(manifest.devDependencies).toHaveProperty([name]);
    }
    for (const name of ["nock", "vitest"]) expect(manifest.devDependencies).toHaveProperty([name]);
    // The build puts what runs into the package.
    expect(manifest.dependencies).toBeUndefined();
    for (const version of Object.values(all)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("DC-7 has the design card's top level", () => {
    for (const path of [
      "package.json",
      "tsconfig.json",
      "src",
      "templates",
      ".github",
      "app.yml",
      "test",
      "README.md",
    ]) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it("each has a line in docs/dependencies.md, and each line is a package", () => {
    expect(matches(read("docs/dependencies.md"), /^\| `([^`]+)` \|/gm).sort()).toEqual(Object.keys(all).sort());
  });

  it("docs/dependencies.md tells what the bot runs on from what only the demo, the tests and the checks use", {
    tags: ["long"],
  }, () => {
    const [, bot = ""] = read("docs/dependencies.md").split(/^## /m);
    const named = matches(bot, /^\| `([^`]+)` \|/gm);
    const imported = tree
      .flatMap(({ imports }) => imports.filter(({ how }) => how !== "type").map(({ target }) => target))
      // The package's own file says which version this is; npm packs it always.
      .filter((target) => !/^(?:src\/|demo\/|node:|package\.json$|check-node\.mjs$)/.test(target))
      .map((target) => (target.match(/^(@[^/]+\/)?[^/]+/) ?? [""])[0]);
    expect([...new Set(imported)].filter((name) => !named.includes(name))).toEqual([]);
  });

  it("SR-69 the lock file fixes every version and names no place to download from", () => {
    const lock = read("package-lock.json");
    expect(lock).not.toContain('"resolved"');
    const { "": top, ...locked } = JSON.parse(lock).packages;
    expect({ ...top.dependencies, ...top.optionalDependencies, ...top.devDependencies }).toEqual(all);
    for (const [name, version] of Object.entries(all))
      expect(locked[`node_modules/${name}`].version, name).toBe(version);
  });

  it.runIf(process.platform === "linux" && process.arch === "x64")(
    "DC-7 README.md and docs/dependencies.md say about how much npm ci puts on the disk",
    () => {
      const { "": _, ...locked } = JSON.parse(read("package-lock.json")).packages;
      const installed = Object.keys(locked).filter((path) => existsSync(join(root, path)));
      const megabytes = installed.map((path) => onDisk(join(root, path))).reduce((all, one) => all + one, 0);
      for (const page of ["README.md", "docs/dependencies.md"]) {
        const [told = ""] = matches(read(page), /(\d{3}) MB/g);
        expect({ page, near: Math.abs(Number(told) / megabytes - 1) < 0.1 }, `${megabytes} MB`).toEqual({
          page,
          near: true,
        });
      }
    },
  );

  it("DC-7 npm ci on an older Node says nothing but errors, and those it says", () => {
    const fresh = mkdtempSync(join(tmpdir(), "countersign-install-"));
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(root, name), join(fresh, name));
    const old = join(fresh, "old.mjs");
    writeFileSync(old, 'Object.defineProperty(process, "version", { value: "v20.19.0" });');
    const env = { ...environment(), NODE_OPTIONS: `--import=${old}` };
    const install = () => spawnSync("npm", ["ci", "--dry-run", "--offline"], { cwd: fresh, env, encoding: "utf8" });
    const { status, stderr } = install();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    writeFileSync(join(fresh, "package-lock.json"), "{}");
    const broken = install();
    expect(broken.stderr).toMatch(/^npm error /);
    expect(broken.status).toBe(1);
    rmSync(fresh, { recursive: true });
  });

  it("SR-69 no install script runs, and CI installs from the lock file", () => {
    expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
    expect(read(".ci/run")).toMatch(/^npm ci\b/m);
    expect(read("Dockerfile")).not.toMatch(/^RUN .*npm/m);
  });

  describe.each(["20.19.0", "24.11.1"])("on Node %s", (version) => {
    const old = `Object.defineProperty(process, "versions", { value: { node: "${version}" } });`;

    it("the scripts hand over to the Node that npm ci brought, with its flags, its arguments and its exit code", () => {
      const given =
        'process.execArgv = ["--title=41", "--eval"]; process.argv[1] = "process.exit(Number(process.title))";';
      const args = ["-e", `${old} ${given} import("./check-node.mjs")`];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 41, stderr: "" });
      for (const name of ["demo", "start", "countersign", "test", "test:all", "bench"]) {
        expect(manifest.scripts[name]).toMatch(/^node --import \.\/check-node\.mjs /);
      }
    });

    it("ends it when it is killed itself, and lets Ctrl-C reach it once, since a second one would cut its drain short", async () => {
      const handed = join(folder, "handed.mjs");
      writeFileSync(
        handed,
        `let interrupts = 0;
        process.on("SIGINT", () => console.log("interrupted " + ++interrupts));
        process.stdin.on("data", () => process.exit(40 + interrupts));
        console.log("at " + process.pid);`,
      );
      const starter = join(folder, "starter.mjs");
      const checker = JSON.stringify(new URL("../../check-node.mjs", import.meta.url));
      writeFileSync(starter, `${old} process.argv[1] = ${JSON.stringify(handed)}; await import(${checker});`);
      const begin = (program: string, args: readonly string[]) => {
        const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
        let said = "";
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          said += text;
        });
        return { child, said: () => said, ended: once(child, "exit") };
      };
      const killed = begin(process.execPath, [starter]);
      await expect.poll(killed.said).toMatch(/^at \d+$/m);
      killed.child.kill("SIGKILL");
      // It holds the other end of the pipe.
      await once(killed.child, "close");
      if (spawnSync("script", ["--version"]).error) return missing("script", "Ctrl-C was not typed into a terminal");
      // A shell that stays, as Debian's sh does, would end by the Ctrl-C itself and answer for it.
      const terminal = begin("script", ["-qec", `exec '${process.execPath}' '${starter}'`, "/dev/null"]);
      await expect.poll(terminal.said).toMatch(/^at \d+/m);
      terminal.child.stdin.write("\x03");
      await expect.poll(terminal.said).toContain("interrupted");
      terminal.child.stdin.write("\n");
      expect(await terminal.ended).toEqual([41, null]);
    });

    it("a system for which none was brought is told what is wrong and what to do", () => {
      const elsewhere = `${old} Object.defineProperty(process, "platform", { value: "sunos" });`;
      const args = ["-e", `${elsewhere} import("./check-node.mjs")`];
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
      expect(stderr).toContain(`Countersign runs on Node 24.12 or newer; this is ${version}. Install Node 24`);
      expect(status).toBe(2);
    });
  });

  it("SR-69 the image runs as nobody special, on a file system that it cannot write", () => {
    const stages = read("Dockerfile").split(/^(?=FROM )/m);
    const from = /^FROM (--platform=\$BUILDPLATFORM )?node:24[\w-]*( AS \w+)?$/m;
    for (const stage of stages.slice(1)) expect(stage).toMatch(from);
    // A program that runs in it while it is built would have to be of its platform.
    expect(stages.at(-1)).not.toMatch(/^RUN /m);
    expect(stages.at(-1)).toMatch(/^USER node$/m);
    expect(parse(read("compose.yaml")).services.countersign).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  });
});

/** Megabytes of a package as `du` counts, without the packages inside of it. */
function onDisk(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .map((entry) => {
      const path = join(folder, entry.name);
      return (lstatSync(path).blocks * 512) / 1_048_576 + (entry.isDirectory() ? onDisk(path) : 0);
    })
    .reduce((all, one) => all + one, 0);
}

describe("on GitHub", () => {
  it("the incident form asks what happened, since when, where, and sets the label that makes an incident", () => {
    const form = parse(read("templates/starter/incident.yml"));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String), labels: ["incident"] });
    const fields = form.body.map((field: { type: string; id: string; attributes: { label?: string } }) => {
      expect(["input", "textarea", "dropdown", "checkboxes"]).toContain(field.type);
      expect(field.id).toMatch(/^[\w-]+$/);
      expect(field.attributes.label).toEqual(expect.stringMatching(/\S/));
      return field.id;
    });
    expect(fields).toEqual(["what", "since", "servers", "component"]);
  });

  it("a bug of the project has a form of its own, which makes no incident and asks for no secret", () => {
    expect(readdirSync(join(root, ".github/ISSUE_TEMPLATE")).sort()).toEqual(["bug.yml", "config.yml"]);
    const form = parse(read(".github/ISSUE_TEMPLATE/bug.yml"));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String), labels: ["bug"] });
    const [intro, ...fields] = form.body;
    expect(intro.attributes.value).toMatch(/SECURITY\.md/);
    expect(fields.map(({ id }: { id: string }) => id)).toEqual(["happened", "expected", "steps", "version", "log"]);
    for (const { type, attributes } of fields) {
      expect(["input", "textarea"]).toContain(type);
      expect(attributes.label).toMatch(/\S/);
    }
    expect(parse(read(".github/ISSUE_TEMPLATE/config.yml"))).toEqual({ blank_issues_enabled: true });
  });

  it("a pull request is asked for what CONTRIBUTING.md asks for", () => {
    const template = read(".github/pull_request_template.md");
    for (const word of ["CONTRIBUTING.md", "npm test", "npm run check", "CHANGELOG.md"])
      expect(template).toContain(word);
  });

  it("SR-69 the workflow may only read, and its actions are fixed by commit", () => {
    const text = read(".github/workflows/ci.yml");
    expect(parse(text).permissions).toEqual({ contents: "read" });
    const used = matches(text, /\buses: *(.*)$/gm);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

describe(".ci/run", () => {
  const found = spawnSync("shellcheck", ["--version"]).status === 0;
  if (!found) missing("shellcheck", "the shell of .ci/run was not looked through");

  it.runIf(found)("has nothing that shellcheck would change", () => {
    const { status, stdout } = spawnSync("shellcheck", [join(root, ".ci/run")], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  it("stops at the first failure, asks nothing, and runs everything", () => {
    const text = read(".ci/run");
    expect(text).toMatch(/^#!\/usr\/bin\/env bash$/m);
    expect(text).toMatch(/^set -euo pipefail$/m);
    expect(text.match(/^(npm .*|exec .*|export .*)$/gm)).toEqual([
      "exec </dev/null",
      "export CI=true",
      "npm ci --no-audit --no-fund",
      "npm run check",
      "npm test",
      "npm run build",
      "npm pack --loglevel=error",
      "npm run test:all -- .long.test.ts",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's, not ours
      'npm run test:all -- --tagsFilter=long "${files[@]}"',
    ]);
    expect(text).toMatch(/^\(cd "\$empty\/folder" && HOME="\$empty\/home" npx --yes "\.\/\$package" demo --once\)$/m);
    expect(statSync(join(root, ".ci/run")).mode & 0o111).toBe(0o111);
  });

  it("installs the tools that CONTRIBUTING.md asks for", () => {
    const [tools] = matches(read(".ci/run"), /^tools=\((.*)\)$/gm);
    expect(matches(read("CONTRIBUTING.md"), /`apt install ([^`]+)`/g)).toEqual([tools]);
  });
});

describe("README.md", () => {
  const folder = useFolder();

  it("holds the two commands, each to be copied whole", () => {
    for (const command of ["npm ci && npm run demo", "npm ci && npm test"]) {
      expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``);
    }
  });

  it("is read in five minutes, and its eight commands are some of those there are", () => {
    expect(readme.split(/\s+/).filter((word) => word !== "").length).toBeLessThanOrEqual(1_400);
    const shown = matches(readme, /^\| `(\/[a-z]+)[^`]*`/gm);
    expect(shown).toHaveLength(8);
    const verbs = commands.map(({ usage }) => usage.split(" ", 1)[0]);
    expect(shown.filter((verb) => !verbs.includes(verb))).toEqual([]);
  });

  it("docs/on-call.md names the slash commands there are, and no other, each with who may use it (npm run texts adds rows)", async () => {
    const text = read("docs/on-call.md");
    const rows = [...text.matchAll(/^\| `(\/[^`]+)` \| .* \| (.*) \|\n/gm)];
    // A bar in a table's cell is written `\\|`.
    const named = new Map(rows.map(([, usage = "", who = ""]) => [usage.replaceAll("\\|", "|"), who]));
    expect([...named.keys()].filter((usage) => !commands.some((one) => one.usage === usage))).toEqual([]);
    expect(named.size).toBe(rows.length);
    const audiences = {
      see: "read access",
      propose: "write access, agents",
      act: "write access",
      approve: "approvers",
    } as const;
    for (const { usage, may } of commands.filter((one) => named.has(one.usage)))
      expect(named.get(usage)?.replace(/\[(\w+)\]\([^)]*\)/g, "$1"), usage).toBe(audiences[may]);
    const missing = commands
      .filter(({ usage }) => !named.has(usage))
      .map(({ usage, summary, may }) => `| \`${usage.replaceAll("|", "\\|")}\` | ${summary} | ${audiences[may]} |\n`);
    const end = Math.max(...rows.map((row) => row.index + row[0].length));
    const complete = text.slice(0, end) + missing.join("") + text.slice(end);
    await expect(complete).toMatchFileSnapshot("../../docs/on-call.md");
  });

  it("CFG-1 its config is one that countersign takes as it stands, without a warning", () => {
    const [text = ""] = matches(readme, /^```yaml\n# countersign\.yml\n(.*?)^```$/gms);
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 });
    write("app.pem", String(privateKey.export({ type: "pkcs1", format: "pem" })));
    write("hook.secret", "6f0c1d2e3b4a59687786a5b4c3d2e1f0");
    write("ssh_key", "");
    const parsed = parseConfig(text, join(folder, "countersign.yml"), { OPENAI_API_KEY: "" });
    expect(parsed).toMatchObject({ ok: true, config: { warnings: [], model: { endpoints: [] } } });
  });

  it("its links lead somewhere", () => {
    const links = matches(readme, /\]\(([^)#]+)\)/g).filter((link) => !link.startsWith("http"));
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
  });
});
