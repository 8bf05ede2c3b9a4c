import canonicalize from "canonicalize";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { type AuditRow, appendAudit, hashOf, verifyAudit } from "../../../src/store/audit/chain.ts";
import { type AuditFormat, exportAudit, toCef, toOcsf } from "../../../src/store/audit/export.ts";
import { newId } from "../../../src/store/ids.ts";
import { useStore } from "../rows.ts";

const row = (kind: string, body: AuditRow["body"], incidentId: string | null = null): AuditRow => ({
  seq: 7,
  at: "2026-03-01T14:05:00.123Z",
  kind,
  incidentId,
  body,
  prev: "aa",
  hash: "bb",
});

/** Takes a CEF line apart as its standard says; throws where it is none. */
function readCef(line: string): {
  readonly header: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
} {
  const parts = line.split(/(?<!(?<!\\)(?:\\\\)*\\)\|/);
  if (parts.length < 8 || /[\r\n]/.test(line)) throw new Error(`no CEF: ${line}`);
  const header = parts.slice(0, 7).map((text) => text.replace(/\\([\\|])/g, "$1"));
  const fields: Record<string, string> = {};
  for (const [, key = "", value = ""] of parts
    .slice(7)
    .join("|")
    .matchAll(/(\w+)=((?:\\.|[^\\=])*?)(?= \w+=|$)/gs))
    fields[key] = value.replace(/\\(.)/g, (_, sign: string) => ({ n: "\n", r: "\r" })[sign] ?? sign);
  return { header, fields };
}

describe("the audit as CEF", () => {
  it("AR-02 escapes what CEF reads as its own, in the header and in values, and nothing is lost", () => {
    const reason = 'a=b\\c|d\r\nsecond line rt=1 "x"';
    const body = { by: { id: 70, login: "lee" }, number: 2, reason, command: "echo a=b | tee \\x\nid" };
    const { header, fields } = readCef(toCef(row("odd|kind\\\nx", body), "0.1.0"));
    expect(header).toEqual(["CEF:0", "Countersign", "countersign", "0.1.0", "odd|kind\\ x", "odd|kind\\ x", "2"]);
    expect(fields).toMatchObject({
      rt: `${Date.parse("2026-03-01T14:05:00.123Z")}`,
      externalId: "7",
      outcome: "success",
      suser: "lee",
      suid: "70",
      cn1Label: "action",
      cn1: "2",
      cs5: body.command,
      reason,
    });
    expect(JSON.parse(fields.cs6 ?? "")).toEqual(body);
  });

  it("AR-02 says how grave an event is and whether it went well, and cuts what CEF has no room for", () => {
    const failed = row("command_executed", {
      server: "web-1",
      ending: { kind: "exited", code: 3 },
      reason: "é".repeat(5_000),
    });
    const { header, fields } = readCef(toCef(failed, "1"));
    expect([header[6], fields.outcome, fields.dhost, fields.cn2]).toEqual(["4", "failure", "web-1", "3"]);
    expect(fields.reason).toHaveLength(1_023);
    expect(fields.reason?.endsWith(" ⋯")).toBe(true);
    expect(fields.cs6).toHaveLength(4_000);
    expect(readCef(toCef(row("card_tampered", {}), "1")).header[6]).toBe("8");
    expect(readCef(toCef(row("command_denied", { by: { id: 7, login: "eve" } }), "1")).fields).toMatchObject({
      outcome: "failure",
      suser: "eve",
      suid: "7",
    });
  });
});

describe("the audit as OCSF", () => {
  const event = (kind: string, body: AuditRow["body"]) => toOcsf(row(kind, body, "i-1"), "0.1.0");
  /** What API Activity (6003) and Process Activity (1007) of version 1.3.0 require, beside what every event has. */
  const base = ["activity_id", "category_uid", "class_uid", "metadata", "severity_id", "time", "type_uid", "actor"];
  const required: Readonly<Record<number, readonly string[]>> = {
    6003: [...base, "api", "src_endpoint"],
    1007: [...base, "device", "process"],
  };
  const bodies = {
    command_proposed: { number: 1, digest: "d", origin: "model" },
    command_approved: { number: 1, digest: "d", by: { id: 70, login: "lee" }, reason: "why" },
    command_dispatched: { number: 1, digest: "d", place: "web", runs: { "web-1": "r1", "web-2": "r2" }, command: "df" },
    command_executed: { number: 1, digest: "d", server: "web-1", run: "r1", ending: { kind: "exited", code: 0 } },
    command_unknown: {
      number: 1,
      digest: "d",
      server: "web-1",
      run: "r1",
      ending: { kind: "unknown", reason: "lost" },
    },
    command_superseded: { number: 1, digest: "d", by: 2 },
    halted: { scope: "all" },
    card_tampered: { slot: "board", by: { id: 5, login: "sam" }, action: "edited", numbers: [] },
    of_tomorrow: {},
  };

  it.each(Object.entries(bodies))("AR-02 %s has every field that its class requires", (kind, body) => {
    const made = event(kind, body) as Record<string, unknown> & { class_uid: number; activity_id: number };
    expect(Object.keys(made)).toEqual(expect.arrayContaining([...(required[made.class_uid] ?? ["an unknown class"])]));
    expect(made).toMatchObject({
      type_uid: made.class_uid * 100 + made.activity_id,
      time: 1_772_373_900_123,
      metadata: {
        version: "1.3.0",
        product: { name: "Countersign", vendor_name: "Countersign" },
        correlation_uid: "i-1",
      },
      unmapped: { body, prev: "aa", hash: "bb" },
    });
  });

  it("AR-02 a run is a process on its server with its exit code; whoever approved is the actor", () => {
    expect(event("command_executed", bodies.command_executed)).toMatchObject({
      class_name: "Process Activity",
      activity_name: "Terminate",
      device: { type_id: 1, name: "web-1" },
      process: { uid: "r1" },
      exit_code: 0,
      status: "Success",
    });
    expect(event("command_dispatched", bodies.command_dispatched)).toMatchObject({
      activity_name: "Launch",
      device: { name: "web" },
      process: { uid: "d", cmd_line: "df" },
    });
    expect(event("command_unknown", bodies.command_unknown)).toMatchObject({ status: "Failure", severity: "Medium" });
    expect(event("command_approved", bodies.command_approved)).toMatchObject({
      class_name: "API Activity",
      api: { operation: "command_approved" },
      actor: { user: { name: "lee", uid: "70" } },
      status_detail: "why",
    });
  });
});

describe("an audit of 20,000 rows", () => {
  const { store, incident } = useStore();
  const many = 20_000;
  let other: string;
  beforeAll(async () => {
    const [one, another] = [await incident(), await incident()];
    other = another.id;
    let last = { seq: 0, hash: "" };
    const rows = Array.from({ length: many }, (_, n) => {
      const link = {
        prev: last.hash,
        seq: n + 1,
        at: new Date(Date.parse("2026-03-01T00:00:00Z") + n * 1_000).toISOString(),
        kind: "command_approved",
        incidentId: n % 10 === 0 ? another.id : n % 10 === 1 ? null : one.id,
        body: canonicalize({ number: n, reason: "ü=|\\\n", repo: n % 20 === 1 ? "Acme/Web" : "acme/other" }) ?? "",
      };
      last = { seq: link.seq, hash: hashOf(link) };
      return { ...link, hash: last.hash };
    });
    for (let from = 0; from < many; from += 1_000)
      await store()
        .db.insertInto("audit")
        .values(rows.slice(from, from + 1_000))
        .execute();
    await store().db.updateTable("auditHead").set(last).where("one", "=", 1).execute();
  });

  const lines = async (format: AuditFormat, filter = {}): Promise<readonly string[]> => {
    const all: string[] = [];
    for await (const piece of exportAudit(store().db, { format, version: "1", ...filter })) {
      const some = piece.split("\n").slice(0, -1);
      expect(some.length).toBeLessThanOrEqual(500);
      all.push(...some);
    }
    return all;
  };

  it("AR-02 SR-64 goes out in small pieces; as JSONL it has all of the chain, which can be checked from it", async () => {
    const rows = (await lines("jsonl")).map((line) => JSON.parse(line) as AuditRow);
    expect(rows).toHaveLength(many);
    let prev = "";
    const broken = rows.filter((each) => {
      const holds = each.prev === prev && hashOf({ ...each, body: canonicalize(each.body) ?? "" }) === each.hash;
      prev = each.hash;
      return !holds;
    });
    expect(broken).toEqual([]);
    expect(await lines("cef")).toHaveLength(many);
    expect((await lines("ocsf")).every((line) => JSON.parse(line).class_uid === 6003)).toBe(true);
  });

  it("AR-02 of an incident, a repository or a time there is what belongs to it", async () => {
    const numbers = async (filter: object) =>
      (await lines("jsonl", filter)).map((line) => JSON.parse(line) as AuditRow);
    expect((await numbers({ repo: "ACME/web", issue: 2 })).every(({ incidentId }) => incidentId === other)).toBe(true);
    expect(await numbers({ repo: "ACME/web", issue: 2 })).toHaveLength(many / 10);
    expect(await numbers({ repo: "acme/web" })).toHaveLength(many - many / 20);
    expect(await numbers({ repo: "acme/none" })).toEqual([]);
    const hour = { since: new Date("2026-03-01T01:00:00Z"), until: new Date("2026-03-01T02:00:00Z") };
    expect((await numbers(hour)).map(({ seq }) => seq)).toEqual(Array.from({ length: 3_600 }, (_, n) => 3_601 + n));
    expect(await numbers({ incidentId: newId() })).toEqual([]);
  });

  it("SR-64 holds while others append to it, and misses a row that is taken off its end", async () => {
    const appended = Array.from({ length: 30 }, (_, n) =>
      store().transaction((tx) =>
        appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: `${n}`, reason: "" } }),
      ),
    );
    const looks = await Promise.all([1, 2, 3].map(() => verifyAudit(store().db)));
    expect(looks.map(({ ok }) => ok)).toEqual([true, true, true]);
    await Promise.all(appended);
    expect(await verifyAudit(store().db)).toMatchObject({ ok: true, rows: many + 30 });
    await sql.raw("alter table audit disable trigger audit_guard").execute(store().db);
    await store()
      .db.deleteFrom("audit")
      .where("seq", "=", many + 30)
      .execute();
    expect(await verifyAudit(store().db)).toMatchObject({ ok: false, seq: many + 30 });
  });
});
