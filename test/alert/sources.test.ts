import { createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  type AlertAuth,
  type AlertKind,
  type AlertSourceKind,
  alertSources,
  parseAlert,
} from "../../src/alert/sources.ts";
import { createAlertDoor } from "../../src/http/alerts.ts";
import { alertArrival } from "../../src/store/queue/arrival.ts";

const rows: readonly (AlertSourceKind & { readonly kind: AlertKind })[] = Object.entries(alertSources).map(
  ([kind, row]) => ({ kind: kind as AlertKind, ...row }),
);
const ways = rows.flatMap((row) => row.auth.map((auth) => ({ ...row, way: auth })));
const docs = readFileSync(new URL("../../docs/alerts.md", import.meta.url), "utf8");

/** The headers with which a source of this kind sends a body. */
function headersOf({ signature }: AlertSourceKind, auth: AlertAuth, secret: string, text: string) {
  if (auth === "bearer") return { authorization: `Bearer ${secret}` };
  if (auth === "basic") return { authorization: `Basic ${Buffer.from(`any:${secret}`).toString("base64")}` };
  if (!signature) throw new Error("it does not sign");
  const mac = createHmac("sha256", secret).update(text).digest("hex");
  return { [signature.header]: `${signature.prefix}${mac}` };
}

describe("each source of alerts", () => {
  it.each(rows)("AL-5 $kind reads its example as a firing alert", ({ kind, example }) => {
    expect(parseAlert(kind, JSON.stringify(example))).toMatchObject({
      kind: "alert",
      alert: { state: "firing", key: expect.stringMatching(/./), title: expect.stringMatching(/./) },
    });
  });

  it.each(rows)("AL-5 $kind ends the alert of its example, under a name of its own", ({ kind, example, resolved }) => {
    const [fires, ends] = [example, { ...example, ...resolved }].map((body) => parseAlert(kind, JSON.stringify(body)));
    if (fires?.kind !== "alert" || ends?.kind !== "alert") throw new Error("both are alerts");
    expect(ends.alert).toMatchObject({ state: "resolved", key: fires.alert.key });
    const sameId = { ...ends.alert, messageId: fires.alert.messageId ?? "1" };
    const named = { ...fires.alert, messageId: sameId.messageId };
    expect(alertArrival("one", sameId).guid).not.toBe(alertArrival("one", named).guid);
    expect(alertArrival("one", named).guid).toBe(alertArrival("one", named).guid);
  });

  it.each(ways)("AL-3 AL-5 $kind enters with $way, and with no other secret", async (row) => {
    const [secret, text] = [randomBytes(24).toString("hex"), JSON.stringify(row.example)];
    const arrivals: unknown[] = [];
    const door = createAlertDoor({
      source: () => ({
        kind: row.kind,
        auth: row.way,
        signature: row.signature,
        secrets: [secret],
        messagesPerMinute: 300,
        maxBodyKb: 100,
      }),
      read: (name, body) => {
        const parsed = parseAlert(row.kind, body);
        return parsed.kind === "alert" ? { kind: "arrival", arrival: alertArrival(name, parsed.alert) } : parsed;
      },
      receive: async (arrival) => {
        arrivals.push(arrival);
        return "stored";
      },
      log: () => {},
      now: () => new Date(),
    });
    const server = createServer((request, response) => void door(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const post = async (given: string) => {
      const headers = headersOf(row, row.way, given, text);
      const answer = await fetch(`http://127.0.0.1:${port}/api/alerts/one`, { method: "POST", body: text, headers });
      return `${answer.status} ${await answer.text()}`;
    };
    expect([await post(secret.toUpperCase()), await post(`${secret}0`), arrivals]).toEqual([
      "401 wrong secret",
      "401 wrong secret",
      [],
    ]);
    expect([await post(secret), arrivals.length]).toEqual(["202 stored", 1]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("AL-5 has a row in docs/alerts.md (npm run texts writes it), and a section, whose JSON is its example", async () => {
    const table = rows.map(({ kind, title, sender, auth, signature }) => {
      const anchor = title.toLowerCase().replaceAll(" ", "-");
      const how = auth
        .map((way) => (way === "hmac" ? `\`hmac\` in \`${signature?.header}\`` : `\`${way}\``))
        .join(", ");
      return `| \`${kind}\` | [${title}](#${anchor}): ${sender} | ${how} |\n`;
    });
    const written = docs.replace(/(?<=\n## Kinds\n\n.*\n\|---.*\n)(\|.*\n)*(?=\n## )/, table.join(""));
    await expect(written).toMatchFileSnapshot("../../docs/alerts.md");
    expect(written).toContain(`|\n${table.join("")}\n## `);
    for (const { title, example } of rows) {
      const section = docs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0];
      expect(section, `docs/alerts.md has no section "## ${title}"`).toBeDefined();
      const [, json] = /```json\n([\s\S]*?)```/.exec(section ?? "") ?? [];
      if (json !== undefined) expect(JSON.parse(json)).toEqual(example);
    }
  });
});
