import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import manifest from "../package.json" with { type: "json" };
import { processRoles } from "../src/base/roles.ts";
import { configSchema } from "../src/config/schema.ts";
import { rightsServing, type ToldRule } from "../src/kubernetes/rights.ts";
import { countersign } from "./cli/countersign.ts";
import { missing } from "./harness/missing.ts";
import { useFolder } from "./harness/use-started.ts";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const documents = (path: string) => {
  const all = parseAllDocuments(readFileSync(at(path), "utf8"));
  return all.map((one) => {
    expect(one.errors).toEqual([]);
    return one.toJS();
  });
};

describe("the systemd unit", () => {
  const unit = readFileSync(at("docs/deploy/countersign.service"), "utf8");
  const verified = spawnSync("systemd-analyze", ["verify", at("docs/deploy/countersign.service")], {
    encoding: "utf8",
  });
  if (verified.error) missing("systemd-analyze", "the systemd unit was not verified");

  it("SR-56 SR-69 dumps no core, gains no right and writes only where it must", () => {
    for (const line of [
      "LimitCORE=0",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "UMask=0077",
      "CapabilityBoundingSet=",
    ])
      expect(unit.split("\n")).toContain(line);
    expect(unit).toMatch(/^User=countersign$/m);
  });

  it("SR-56 neither it nor any other way to start the bot asks Node to write its memory or environment down", () => {
    const ways = [".npmrc", "package.json", "Dockerfile", "compose.yaml", "docs/deploy/kubernetes.yaml"];
    const texts = [unit, ...ways.map((path) => readFileSync(at(path), "utf8"))];
    for (const text of texts) expect(text).not.toMatch(/abort-on-uncaught|heapsnapshot|heap-prof|--report|--inspect/);
    expect(parseAllDocuments(readFileSync(at("compose.yaml"), "utf8"))[0]?.toJS().services.countersign.ulimits).toEqual(
      {
        core: 0,
      },
    );
  });

  it("DC-7 starts on the Node that npm ci brought, however old the system's own is, and on the system's where none was", () => {
    const [, path = ""] = /^Environment=PATH=(.*)$/m.exec(unit) ?? [];
    expect(unit).toContain(`\nExecStart=/usr/bin/env ${manifest.scripts.start}\n`);
    const old = mkdtempSync(join(tmpdir(), "countersign-old-node-"));
    writeFileSync(join(old, "node"), "#!/bin/sh\necho v20.19.0\n", { mode: 0o755 });
    const version = (program: string): string => {
      const PATH = path.replaceAll("/opt/countersign", program).replace("/usr/local/bin", old);
      return execFileSync("/usr/bin/env", ["node", "--version"], { env: { PATH }, encoding: "utf8" }).trim();
    };
    if (existsSync(at(`node_modules/node-linux-${process.arch}`))) expect(version(at("."))).toMatch(/^v24\./);
    expect(version("/nowhere")).toBe("v20.19.0");
    rmSync(old, { recursive: true });
  });

  it.runIf(!verified.error)("SR-69 passes systemd-analyze", () => {
    expect(verified.stdout + verified.stderr).not.toMatch(/countersign\.service:\d+/);
  });
});

describe("the Kubernetes manifests", () => {
  const all = documents("docs/deploy/kubernetes.yaml");
  const of = (kind: string) => all.filter((one) => one.kind === kind);
  const nameOf = ({ metadata }: { metadata: { name: string } }) => metadata.name;
  const pods = of("Deployment").map(({ spec }) => ({
    role: spec.template.metadata.labels["app.kubernetes.io/component"],
    labels: spec.template.metadata.labels,
    spec: spec.template.spec,
  }));

  it("SR-69 run as nobody special on a root file system that is read-only, without a token of the cluster", () => {
    for (const { spec } of pods) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      for (const container of [...spec.containers, ...spec.initContainers])
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
    }
  });

  it("SR-55 have a process for each role with that role's secrets alone, and none in its environment", () => {
    expect(pods.map(({ role }) => role)).toEqual([...processRoles]);
    for (const { role, spec } of pods) {
      const [container] = spec.containers;
      expect(container.args).toEqual(["start", "--role", role]);
      expect(container.env).toEqual([{ name: "PGPASSFILE", value: "/secrets/pgpass" }]);
      const given = spec.volumes.find(({ name }: { name: string }) => name === "given");
      const secrets = given.projected.sources.map(({ secret }: { secret: { name: string } }) => secret.name);
      expect(secrets).toEqual(["countersign-app", `countersign-${role}`]);
    }
    const made = readFileSync(at("docs/deploy/kubernetes.yaml"), "utf8").matchAll(/generic countersign-(\w+) (.*)/g);
    const files = [...made].map(([, name, from = ""]) => [name, from.replaceAll("--from-file=", "").split(" ")]);
    expect(Object.fromEntries(files)).toEqual({
      app: ["app.pem", "pgpass"],
      web: ["hook.secret"],
      agent: ["model.key", "audit.key"],
      runner: ["ssh_key", "audit.key"],
    });
  });

  it("SR-55 let nobody connect to the runner, and nobody but the runner to the servers", () => {
    const chosen = (policy: { spec: { podSelector: object } }) => {
      const { matchLabels = {}, matchExpressions = [] } = policy.spec.podSelector as Selector;
      return pods.flatMap(({ role, labels }) =>
        Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
        matchExpressions.every(({ key, values }) => values.includes(labels[key]))
          ? [role]
          : [],
      );
    };
    const opening = (side: "ingress" | "egress", port: number) =>
      of("NetworkPolicy").flatMap((policy) => {
        const opens = (policy.spec[side] ?? []).some(({ ports }: { ports: { port: number }[] }) =>
          ports.some((one) => one.port === port),
        );
        return opens ? chosen(policy) : [];
      });
    expect([...new Set(opening("ingress", 3000))].sort()).toEqual(["agent", "web"]);
    expect(opening("egress", 22)).toEqual(["runner"]);
    const [base] = of("NetworkPolicy");
    expect(chosen(base)).toEqual([...processRoles]);
    expect(base.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], ingress: [] });
    const runner = pods.find(({ role }) => role === "runner");
    expect(runner?.spec.containers[0].ports).toBeUndefined();
  });

  it("lose one process of a role at a time where nodes are drained", () => {
    expect(of("PodDisruptionBudget").map(nameOf)).toEqual(of("Deployment").map(nameOf));
    for (const { spec } of of("PodDisruptionBudget")) expect(spec.maxUnavailable).toBe(1);
    for (const { spec } of of("Deployment")) expect(spec.replicas).toBeGreaterThan(1);
  });

  it("CFG-1 mount the config as a folder, so that a change of it is followed, and the config in it is one", () => {
    for (const { spec } of pods) {
      const mount = spec.containers[0].volumeMounts.find(({ name }: { name: string }) => name === "config");
      expect(mount).toEqual({ name: "config", mountPath: "/etc/countersign", readOnly: true });
    }
    const [config] = parseAllDocuments(of("ConfigMap")[0].data["countersign.yml"]);
    expect(configSchema.safeParse(config?.toJS())).toMatchObject({ success: true });
  });

  it("SR-70 nginx and Caddy let the world reach the webhook's path and nothing else, with bodies as large as the bot takes", () => {
    const most = configSchema.parse({}).server.max_body_mb;
    const nginx = readFileSync(at("docs/deploy/nginx.conf"), "utf8");
    expect(nginx.match(/^ *location .*$/gm)).toEqual(["  location = /api/github/webhooks {", "  location / {"]);
    expect(nginx).toMatch(/location \/ \{\s*return 404;/);
    expect(nginx).toContain(`client_max_body_size ${most}m;`);
    const caddy = readFileSync(at("docs/deploy/Caddyfile"), "utf8");
    expect(caddy.match(/^\thandle.*$/gm)).toEqual(["\thandle /api/github/webhooks {", "\thandle {"]);
    expect(caddy).toMatch(/handle \{\s*respond 404/);
    expect(caddy).toContain(`max_size ${most}MB`);
  });

  it("SR-70 let the world reach the webhook's path and nothing else", () => {
    const [rule] = of("Ingress")[0].spec.rules;
    expect(rule.http.paths.map(({ path, pathType }: { path: string; pathType: string }) => [path, pathType])).toEqual([
      ["/api/github/webhooks", "Exact"],
    ]);
    expect(of("Service")[0].spec.selector).toMatchObject({ "app.kubernetes.io/component": "web" });
  });
});

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}

describe("the manifests for a runner on its own cluster", () => {
  const roles = documents("docs/deploy/rbac.yaml");
  const named = (kind: string, name: string) => roles.find((one) => one.kind === kind && one.metadata.name === name);

  it.each([
    ["countersign-reads", "reads"],
    ["countersign-changes", "changes"],
  ] as const)("SR-55 the Role %s grants what kubectl's verbs need that it serves, and nothing else", (name, effect) => {
    const flat = (rules: readonly ToldRule[]): readonly string[] =>
      rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
        apiGroups.flatMap((group) => resources.flatMap((one) => verbs.map((verb) => `${group}/${one} ${verb}`))),
      );
    const needed = rightsServing(effect).map(({ group, resource, verb }) => `${group}/${resource} ${verb}`);
    expect([...new Set(flat(named("Role", name).rules))].sort()).toEqual([...new Set(needed)].sort());
    expect(named("RoleBinding", name)).toMatchObject({
      roleRef: { kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name: "countersign-runner", namespace: "countersign" }],
    });
  });

  const built = spawnSync("kubectl", ["kustomize", at("docs/deploy")], { encoding: "utf8" });
  if (built.error) missing("kubectl", "the manifests of a runner on its own cluster were not built");

  it.runIf(!built.error)("SR-55 give the runner alone a token of the cluster, and let nobody connect to it", () => {
    const all = parseAllDocuments(built.stdout).map((one) => one.toJS());
    const pods = all.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec.template.spec);
    expect(
      pods.map(({ serviceAccountName, automountServiceAccountToken, containers }) => [
        serviceAccountName,
        automountServiceAccountToken,
        containers[0].ports !== undefined,
      ]),
    ).toEqual([
      ["countersign", false, expect.any(Boolean)],
      ["countersign-runner", true, false],
      ["countersign", false, true],
    ]);
    const egress = all.filter(({ kind, spec }) => kind === "NetworkPolicy" && JSON.stringify(spec).includes("6443"));
    expect(egress.map(({ spec }) => spec.podSelector.matchLabels["app.kubernetes.io/component"])).toEqual(["runner"]);
    const first = readFileSync(at("docs/deploy/kustomization.yaml"), "utf8");
    const entry = parse(
      [...first.matchAll(/^# {3}(.*)$/gm)]
        .map(([, line]) => line)
        .slice(2)
        .join("\n"),
    );
    expect(configSchema.safeParse({ servers: entry })).toMatchObject({
      success: false,
      error: { issues: [{ path: ["servers", "prod-eu", "ca_sha256"] }] },
    });
  });
});

describe("the image", () => {
  const guide = readFileSync(at("docs/deploy/README.md"), "utf8");
  const dockerfile = readFileSync(at("Dockerfile"), "utf8");

  it("starts as npm start does, so with its flags", () => {
    const words = ["ENTRYPOINT", "CMD"].flatMap((name) =>
      JSON.parse(new RegExp(`^${name} (.*)$`, "m").exec(dockerfile)?.[1] ?? "[]"),
    );
    expect(words.join(" ")).toBe(manifest.scripts.start);
    expect(dockerfile).toContain("COPY package.json check-node.mjs ");
    expect(readFileSync(at(".dockerignore"), "utf8")).toContain("\n!check-node.mjs\n");
  });

  it("has the command line by its name: a link to a file that starts Node itself", async () => {
    expect(dockerfile).toContain("ln -s /app/src/main.ts /usr/local/bin/countersign");
    expect(statSync(at("src/main.ts")).mode & 0o111).toBe(0o111);
    const folder = mkdtempSync(join(tmpdir(), "countersign-image-"));
    symlinkSync(at("src/main.ts"), join(folder, "countersign"));
    const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
    const said = execFileSync(join(folder, "countersign"), ["--version"], {
      cwd: folder,
      env: { PATH },
      encoding: "utf8",
    });
    expect(said.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    rmSync(folder, { recursive: true });
  });

  it("holds about what the guide says", () => {
    const sources = [...filesBelow(at("src")), ...filesBelow(at("templates"))];
    const lock: Readonly<Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>> = JSON.parse(
      readFileSync(at("package-lock.json"), "utf8"),
    ).packages;
    const packages = Object.keys(lock).filter((path) => {
      const { dev, optional, devOptional } = lock[path] ?? {};
      return path !== "" && !dev && !optional && !devOptional;
    });
    const installed = packages.flatMap((path) => filesBelow(at(path)));
    const measured = {
      sources: sources.length,
      sourceMb: megabytes(sources),
      packages: packages.length,
      packageMb: megabytes(installed),
      packageFiles: installed.length,
    };
    console.info("the image:", JSON.stringify(measured));
    const [, count, mb, files] = /\| packages \| (\d+), in (\d+) MB, ([\d,]+) files/.exec(guide) ?? [];
    const [, sourceCount, sourceMb] = /\| `src`, `templates` \| ([\d,]+) files, ([\d.]+) MB/.exec(guide) ?? [];
    const said = { sources: sourceCount, sourceMb, packages: count, packageMb: mb, packageFiles: files };
    for (const [what, value] of Object.entries(measured)) {
      const told = Number(said[what as keyof typeof said]?.replaceAll(",", ""));
      expect({ what, told, near: Math.abs(told - value) / value < 0.1 }).toEqual({ what, told, near: true });
    }
  });
});

/** Files of a folder; packages below it are counted by themselves. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
const megabytes = (paths: readonly string[]): number => {
  const bytes = paths.map((path) => statSync(path).size).reduce((all, size) => all + size, 0);
  return Number((bytes / 1_000_000).toFixed(1));
};

describe("the action for pull requests", () => {
  const folder = useFolder();
  const [action] = documents(".github/actions/check/action.yml");
  const { steps } = action.runs;

  it("SR-69 pins what it uses, installs from the lock file without scripts, and puts no input into a script", () => {
    for (const { uses } of steps.filter((step: { uses?: string }) => step.uses)) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    const scripts = steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(scripts[0]).toBe("npm ci --omit=dev --omit=optional --ignore-scripts");
    expect(scripts.join("\n")).not.toContain("${{ inputs");
  });

  it("OP-3 WF-1 its command finds a broken skill without the operator's file, and is content once it is mended", async () => {
    const script: string = steps.at(-1).run;
    expect(script).toMatch(/check --only-repo --repo "\$CHECKED" .*--annotate --summary "\$GITHUB_STEP_SUMMARY"/);
    const skill = join(folder, ".github/skills/disk");
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), "no frontmatter");
    const args = ["check", "--only-repo", "--repo", folder];
    const broken = await countersign(args);
    expect(broken).toMatchObject({ code: 1, err: expect.stringMatching(/disk\/SKILL\.md/) });
    const asJson = await countersign([...args, "--json"]);
    expect(JSON.parse(asJson.out)).toEqual([
      expect.objectContaining({ severity: "error", place: expect.stringContaining("disk/SKILL.md") }),
    ]);
    const summary = join(folder, "summary.md");
    const annotated = await countersign([...args, "--annotate", "--summary", summary]);
    const [, token = ""] = /^::stop-commands::(\S+)\n/.exec(annotated.out) ?? [];
    const [quoted, commands = ""] = annotated.out.split(`\n::${token}::\n`);
    expect(quoted).toMatch(/^✗ .*disk\/SKILL\.md: has no frontmatter/m);
    expect(commands).toMatch(/^::error file=\.github\/skills\/disk\/SKILL\.md,title=Countersign::has no frontmatter/);
    expect(annotated).toMatchObject({ code: 1, err: "" });
    expect(readFileSync(summary, "utf8")).toMatch(
      /^\| ❌ \| `\.github\/skills\/disk\/SKILL\.md` \| has no frontmatter \|/m,
    );
    rmSync(summary);
    writeFileSync(join(skill, "SKILL.md"), "---\nname: disk\ndescription: Use when a disk is full.\n---\n\n# Disk\n");
    expect((await countersign(args)).code).toBe(0);
  });
});

describe("the release", () => {
  const workflow = readFileSync(at(".github/workflows/release.yml"), "utf8");

  it("SR-69 tests before it builds, may write only where it must, fixes its actions by commit, and signs image and list", () => {
    const [release] = documents(".github/workflows/release.yml");
    expect(release.permissions).toEqual({ contents: "read" });
    const { permissions, steps } = release.jobs.release;
    expect(permissions).toEqual({ contents: "write", packages: "write", "id-token": "write" });
    for (const { uses } of steps.filter((step: { uses?: string }) => step.uses)) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    const scripts: readonly string[] = steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(scripts.indexOf(".ci/run")).toBeLessThan(scripts.findIndex((run) => run.includes("docker build")));
    expect(scripts.join("\n")).toMatch(/^cosign sign --yes "\$DIGEST"$/m);
    expect(scripts.join("\n")).toMatch(/^cosign attest --yes --type cyclonedx --predicate sbom\.json "\$DIGEST"$/m);
    // A tag's name is whatever somebody pushes.
    expect(scripts.join("\n")).not.toContain("${{");
  });

  it("SR-69 its bill of materials has every package that runs, and what only development uses is marked as that", () => {
    const [command = ""] = /npm sbom [^|\n]*[^|\n ]/.exec(workflow) ?? [];
    const [npm = "", ...args] = command.split(" ");
    const text = execFileSync(npm, [...args, "--loglevel=error"], {
      cwd: at(""),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const listed: readonly Component[] = JSON.parse(text).components;
    const marked = (component: Component): boolean =>
      component.properties?.some(({ name }) => name === "cdx:npm:package:development") ?? false;
    const idOf = ({ purl }: Component) => decodeURIComponent(purl);
    const packages: Readonly<Record<string, { version: string; dev?: boolean }>> = JSON.parse(
      readFileSync(at("package-lock.json"), "utf8"),
    ).packages;
    const runs = Object.entries(packages)
      .filter(([path, { dev }]) => path !== "" && !dev)
      .map(([path, { version }]) => `pkg:npm/${path.replace(/^.*node_modules\//, "")}@${version}`);
    expect(new Set(listed.filter((one) => !marked(one)).map(idOf))).toEqual(new Set(runs));
    expect(runs.length).toBeGreaterThan(100);
  });
});

interface Component {
  readonly purl: string;
  readonly properties?: readonly { readonly name: string }[];
}
