import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environment } from "../../src/config/load.ts";
import { missing } from "../harness/missing.ts";
import { type Ground, prepareGround } from "../harness/playground.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const engine = spawnSync("docker", ["info", "--format", "{{.OSType}}"], { encoding: "utf8" });
const hasEngine = process.platform === "linux" && engine.status === 0 && engine.stdout.trim() === "linux";
if (!hasEngine) missing("docker's engine", "the image was not built");

/** A line of release.yml that builds it, with its own words for name and tag. */
const [build = ""] =
  /^ *docker buildx build .*$/m.exec(readFileSync(`${root}.github/workflows/release.yml`, "utf8")) ?? [];
const image = "countersign-test";
const tag = `v0-${process.pid}`;
const name = `${image}:${tag.slice(1)}`;
const docker = (...args: readonly string[]): string => execFileSync("docker", args, { cwd: root, encoding: "utf8" });

it("SR-69 release.yml builds the image in a line that can be taken from it", () => {
  expect(build.trim()).toMatch(
    /^docker buildx build --pull --tag "\$image:\S+" --platform linux\/amd64,linux\/arm64 .* \.$/,
  );
});

describe.runIf(hasEngine)("the image, built as release.yml does", () => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await prepareGround();
    execFileSync(process.execPath, ["build.ts"], { cwd: root });
    // For this machine alone, and nowhere to push it to.
    const here = build.replace(/--platform .* --push/, "--load");
    execFileSync("bash", ["-o", "pipefail", "-ec", here], {
      cwd: root,
      env: { ...environment(), image, TAG: tag },
      stdio: ["ignore", "ignore", "inherit"],
    });
  }, 900_000);
  afterAll(async () => {
    spawnSync("docker", ["image", "rm", "--force", name]);
    await ground.close();
  });

  it("SR-69 runs as nobody special, has the command line by its name", () => {
    expect(docker("run", "--rm", "--entrypoint", "id", name, "-u").trim()).toBe("1000");
    const said = docker("run", "--rm", "--entrypoint", "countersign", name, "explain", "df -h");
    expect(JSON.parse(said)).toMatchObject({ risk: "low" });
  });

  it("RR-20 SR-69 starts on a root that cannot be written, without any capability, and drains at docker stop", async () => {
    const folder = dirname(ground.configFile);
    const data = `${folder}/data`;
    mkdirSync(data, { recursive: true });
    const id = docker(
      ...["run", "--detach", "--network", "host", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
      ...["--security-opt", "no-new-privileges:true", "--user", `${process.getuid?.()}:${process.getgid?.()}`],
      ...["--volume", `${folder}:${folder}`, "--volume", `${data}:/data`, name, "start", "--config", ground.configFile],
    ).trim();
    const up = () =>
      fetch(`http://127.0.0.1:${ground.port}/readyz`).then(
        ({ status }) => status,
        () => undefined,
      );
    try {
      await expect.poll(up).toBe(200);
      docker("stop", "--time", "30", id);
      expect(docker("inspect", "--format", "{{.State.ExitCode}}", id).trim()).toBe("0");
    } finally {
      docker("rm", "--force", id);
    }
  });
});
