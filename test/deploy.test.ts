import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import manifest from "../package.json" with { type: "json" };
import { processRoles } from "../src/base/roles.ts";
import { configSchema } from "../src/config/schema.ts";
import { type ListedRule, rightsServing } from "../src/kubernetes/rights.ts";
import { countersign } from "./cli/countersign.ts";
import { missing } from "./harness/missing.ts";
import { useFolder } from "./harness/use-started.ts";

const program = manifest.bin.countersign;
/** What `npm start` gives Node beside what check-node.mjs does. */
const flags = manifest.scripts.start
  .split(" ")
  .filter((word) => word.startsWith("--max"))
  .join(" ");
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
    expect(unit).toContain(`\nExecStart=/usr/bin/env node ${flags} node_modules/countersign/${program} start\n`);
    const old = mkdtempSync(join(tmpdir(), "countersign-old-node-"));
    writeFileSync(join(old, "node"), "#!/bin/sh\necho v20.19.0\n", { mode: 0o755 });
    const version = (place: string): string => {
      const PATH = path.replaceAll("/opt/countersign", place).replace("/usr/local/bin", old);
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
    const flat = (rules: readonly ListedRule[]): readonly string[] =>
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
  const dockerfile = readFileSync(at("Dockerfile"), "utf8");

  it("starts as npm start does, so with its flags", () => {
    const words = ["ENTRYPOINT", "CMD"].flatMap((name) =>
      JSON.parse(new RegExp(`^${name} (.*)$`, "m").exec(dockerfile)?.[1] ?? "[]"),
    );
    expect(words.join(" ")).toBe(`node ${flags} ${program} start`);
  });

  it("holds the files of the package, and nothing else", () => {
    const held = [...manifest.files, "package.json", "LICENSE"].sort();
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = ""]) =>
      files.split(" "),
    );
    expect(copied.sort()).toEqual(held);
    const ignored = readFileSync(at(".dockerignore"), "utf8");
    expect([...ignored.matchAll(/^!(.*)$/gm)].map(([, file]) => file).sort()).toEqual(held);
  });

  it("asks whether the bot is alive on the port of its config", () => {
    const [, check = "[]"] = /^HEALTHCHECK .*CMD (.*)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(check)).toEqual(["countersign", "alive"]);
  });

  it("has the command line by its name: a link to a file that starts Node itself", () => {
    expect(dockerfile).toContain(`ln -s /app/${program} usr/local/bin/countersign`);
    expect(statSync(at(program)).mode & 0o111).toBe(0o111);
    expect(readFileSync(at(program), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe("the action for pull requests", () => {
  const folder = useFolder();
  const [action] = documents(".github/actions/check/action.yml");
  const { steps } = action.runs;

  it("SR-69 pins what it uses, installs from the lock file without scripts, and puts no input into a script", () => {
    for (const { uses } of steps.filter((step: { uses?: string }) => step.uses)) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    const scripts = steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(scripts[0]).toBe("npm ci --omit=optional --ignore-scripts");
    expect(scripts.join("\n")).not.toContain("${{ inputs");
  });

  it("OP-3 WF-1 its command finds a broken skill without the operator's file, and is content once it is mended", {
    tags: ["long"],
  }, async () => {
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
    expect(scripts.indexOf(".ci/run")).toBeLessThan(scripts.findIndex((run) => run.includes("docker buildx build")));
    expect(scripts.join("\n")).toMatch(/^cosign sign --yes "\$DIGEST"$/m);
    expect(scripts.join("\n")).toMatch(/^cosign attest --yes --type cyclonedx --predicate sbom\.json "\$DIGEST"$/m);
    // A tag's name is whatever somebody pushes.
    expect(scripts.join("\n")).not.toContain("${{");
  });

  it("SR-69 its bill of materials has every package that the build put in, the optional Node, and nothing else", () => {
    const { steps } = documents(".github/workflows/release.yml")[0].jobs.release;
    const script: string = steps.find(({ run = "" }: { run?: string }) => run.includes("npm sbom")).run;
    const folder = mkdtempSync(join(tmpdir(), "countersign-sbom-"));
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) cpSync(at(name), join(folder, name));
    const held = ["zod", "@octokit/rest", "emulate"].map((name) => ({
      id: `${name}@${manifest.devDependencies[name as keyof typeof manifest.devDependencies]}`,
    }));
    mkdirSync(join(folder, "dist"));
    writeFileSync(join(folder, "dist/packages.json"), JSON.stringify(held));
    execFileSync("bash", ["-o", "pipefail", "-ec", script], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const { components, dependencies } = JSON.parse(readFileSync(join(folder, "sbom.json"), "utf8"));
    const node = Object.entries(manifest.optionalDependencies).map(([name, version]) => `${name}@${version}`);
    const ids = components.map((one: Component) => one["bom-ref"]);
    expect(ids.sort()).toEqual([...held.map(({ id }) => id), ...node].sort());
    for (const { ref, dependsOn } of dependencies)
      expect([...ids, `countersign@${manifest.version}`]).toEqual(expect.arrayContaining([ref, ...dependsOn]));
    rmSync(folder, { recursive: true });
  });

  it("SR-69 publishes the package that was tested, with its checksum, and signs it", () => {
    expect(workflow).toMatch(/sha256sum "countersign-\$\{TAG#v\}\.tgz" > "countersign-\$\{TAG#v\}\.tgz\.sha256"/);
    expect(workflow).toMatch(/gh release create "\$TAG" "countersign-\$\{TAG#v\}\.tgz"\* sbom\.json/);
    expect(workflow).toMatch(/cosign sign-blob --yes --bundle \S+ "countersign-\$\{TAG#v\}\.tgz"/);
  });
});

interface Component {
  readonly "bom-ref": string;
}
