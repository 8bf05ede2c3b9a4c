import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditExport } from "../../src/cli/audit.ts";
import { checkpointText, readHead } from "../../src/store/audit/checkpoint.ts";
import { type AuditFormat, exportAudit } from "../../src/store/audit/export.ts";
import { openStore } from "../../src/store/database/open.ts";
import { repo } from "../harness/playground.ts";
import { startStage } from "../harness/stage.ts";
import { saying } from "../ssh/fake-host.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";
import { countersign } from "./countersign.ts";

const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const folder = mkdtempSync(join(tmpdir(), "countersign-audit-"));
const file = join(folder, "countersign.yml");
let store: string;

/** An incident in which a secret was said, proposed, printed and given as a reason; then the bot is gone and its store stays. */
beforeAll(async () => {
  store = await freshFolder();
  let key = "";
  const stage = await startStage({
    storeUrl: `file:${store}`,
    configure: (config) => {
      key = (config.github as { private_key_file: string }).private_key_file;
    },
  });
  stage.play(saying(`GITHUB_TOKEN=${secret}\n`, 1));
  const thread = await stage.incident("uptime", "df -h", "ls /srv");
  await stage.ask(thread, "sam", `/run web-1\n\`\`\`sh\nexport GITHUB_TOKEN=${secret}; uptime\n\`\`\``);
  await stage.ask(thread, "sam", `/hold it printed ${secret}`);
  await stage.ask(thread, "lee", "/resume");
  await stage.ask(thread, "mona", `/reject 3 the token ${secret} is in it`);
  await stage.ask(thread, "lee", `/approve 1 with token ${secret}`, { text: "LIKELY: it failed." });
  const was = dirname(key);
  cpSync(was, folder, { recursive: true });
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(was, folder), { mode: 0o600 });
  await stage.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  removeFolder(store);
});

/** The log in one form, as the command line prints it. */
async function exported(format: AuditFormat): Promise<readonly string[]> {
  const opened = await openStore(`file:${store}`);
  const all: string[] = [];
  for await (const piece of exportAudit(opened.db, { format, version: "1" })) all.push(piece);
  await opened.close();
  return all.join("").split("\n").slice(0, -1);
}

describe("countersign audit", () => {
  it("AR-02 SR-45 exports the log in three forms, and in none of them a secret", async () => {
    const rows = (await exported("jsonl")).map((line) => JSON.parse(line));
    const kinds = rows.map(({ kind }) => kind);
    for (const kind of [
      "command_proposed",
      "command_approved",
      "command_rejected",
      "incident_held",
      "command_executed",
    ])
      expect(kinds).toContain(kind);
    const ocsf = (await exported("ocsf")).map((line) => JSON.parse(line));
    expect(ocsf.map(({ class_uid }) => class_uid)).toContain(1007);
    expect(JSON.stringify([rows, ocsf])).not.toContain(secret.slice(4, 30));
    // It was there to be kept: only its words were.
    expect(JSON.stringify(rows)).toContain("it printed [REDACTED]");

    const args = ["audit", "export", "--format", "cef", "--repo", repo.toUpperCase(), "--incident", "1"];
    const { code, out, err } = await countersign([...args, "--config", file]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toContain(secret.slice(4, 30));
    const cef = out.split("\n").slice(0, -1);
    expect(cef).toHaveLength(rows.filter(({ incidentId }) => incidentId !== null).length);
    expect(cef.every((line) => line.startsWith("CEF:0|Countersign|countersign|"))).toBe(true);
  });

  it("SR-55 asks for no secret but the key of its checkpoints", async () => {
    const { github, audit, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    const bare = join(folder, "bare.yml");
    const places = { ...rest, github: { repositories: github.repositories, private_key_file: "./gone" } };
    const verify = async (files: object) => {
      writeFileSync(bare, JSON.stringify({ ...places, audit: { ...audit, ...files } }));
      return countersign(["audit", "verify", "--config", bare]);
    };
    expect(await verify({})).toMatchObject({ code: 0, out: expect.stringMatching(/^the audit holds: \d+ rows/) });
    writeFileSync(join(folder, "checkpoint"), "x");
    expect(await verify({ checkpoint_file: "./checkpoint", signing_key_file: "./gone" })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^✗ audit\.signing_key_file: .*ENOENT.* — make one/),
    });
  });

  it("SR-66 a checkpoint file that is configured and missing is a fault, once there is an audit", async () => {
    const checkpoint = join(folder, "witness");
    const empty = await freshFolder();
    const at = (url: string, name: string): string => {
      const config = {
        ...JSON.parse(readFileSync(file, "utf8")),
        audit: { checkpoint_file: checkpoint },
        store: { url },
      };
      writeFileSync(join(folder, name), JSON.stringify(config), { mode: 0o600 });
      return join(folder, name);
    };
    const full = at(`file:${store}`, "checked.yml");
    const verify = (config: string) => countersign(["audit", "verify", "--config", config]);
    expect(await verify(full)).toMatchObject({ code: 1, err: expect.stringContaining(`${checkpoint} is missing`) });
    expect(await verify(at(`file:${empty}`, "new.yml"))).toMatchObject({ code: 0, err: "" });
    const opened = await openStore(`file:${store}`);
    writeFileSync(checkpoint, checkpointText(await readHead(opened.db)));
    await opened.close();
    expect(await verify(full)).toMatchObject({ code: 0, out: expect.stringContaining(`agrees with ${checkpoint}`) });
    removeFolder(empty);
  });

  it("CONFIG a form, a number or a time that is none is named", async () => {
    const wrong = await countersign(["audit", "export", "--format", "xml", "--config", file]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("jsonl, cef, ocsf") });
    const problem = (message: string) => ({ problems: [{ message }] });
    const since = auditExport({ config: file, format: "cef", since: "noon" });
    await expect(since).rejects.toMatchObject(problem("noon is no time"));
    for (const args of [
      ["audit", "export", "--incident", "x"],
      ["incident", "show", "x"],
      ["incident", "output", "1", "x"],
    ])
      expect(await countersign([...args, "--config", file])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^✗ (--incident|<number>|<action>): `x` is not a number — write it in digits/),
      });
  });
});
