import { createHmac } from "node:crypto";
import { createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { createCertificate } from "../../emulator/kubernetes/certificate.ts";
import { listenAt } from "../../src/base/listen.ts";
import { createCalendar, fetchCalendar } from "../../src/pager/fetch.ts";
import { type Alarm, callHook, type Hook } from "../../src/pager/hook.ts";
import { useStarted } from "../harness/use-started.ts";
import { startSink } from "./sink.ts";

const alarm: Alarm = {
  repo: "acme/web",
  issue: 12,
  link: "https://github.com/acme/web/issues/12#issuecomment-7",
  actions: [
    { number: 4, server: "web-1", risk: "high", expiresAt: new Date("2026-03-01T10:15:00Z") },
    { number: 5, server: "db-1", risk: "low", expiresAt: new Date("2026-03-01T11:00:00Z") },
  ],
  called: ["lee", "mona"],
};
const now = new Date("2026-03-01T10:05:00Z");
const words =
  "4 on web-1 (high risk, until 10:15Z), 5 on db-1 (low risk, until 11:00Z) wait for an approval. No answer from lee, mona.";
const text = z.literal(words);

/** What each product documents of its incoming messages, strict: neither a button nor anything else is in them. */
const documented = {
  slack: z.strictObject({ text: z.literal(`${words} <${alarm.link}|acme/web#12>`) }),
  teams: z.strictObject({
    type: z.literal("message"),
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal("application/vnd.microsoft.card.adaptive"),
        content: z.strictObject({
          $schema: z.url(),
          type: z.literal("AdaptiveCard"),
          version: z.literal("1.4"),
          body: z.tuple([
            z.strictObject({ type: z.literal("TextBlock"), text, wrap: z.literal(true) }),
            z.strictObject({
              type: z.literal("TextBlock"),
              text: z.literal(`[acme/web#12](${alarm.link})`),
              wrap: z.literal(true),
            }),
          ]),
        }),
      }),
    ]),
  }),
  ntfy: z.strictObject({
    topic: z.literal("hook"),
    title: z.literal("Approval needed: acme/web#12"),
    message: text,
    priority: z.literal(5),
    click: z.literal(alarm.link),
  }),
  pagerduty: z.strictObject({
    routing_key: z.literal("the-key-of-this-hook"),
    event_action: z.literal("trigger"),
    dedup_key: z.string().max(255),
    payload: z.strictObject({
      summary: z.literal(`acme/web#12: ${words}`),
      source: z.literal("acme/web"),
      severity: z.enum(["critical", "error", "warning", "info"]),
    }),
    links: z.tuple([z.strictObject({ href: z.literal(alarm.link), text: z.literal("acme/web#12") })]),
  }),
  webhook: z.strictObject({
    kind: z.literal("approval_needed"),
    at: z.literal(now.toISOString()),
    repository: z.literal("acme/web"),
    issue: z.literal(12),
    link: z.literal(alarm.link),
    actions: z.array(
      z.strictObject({
        number: z.int(),
        server: z.string(),
        risk: z.enum(["low", "medium", "high"]),
        expires_at: z.iso.datetime(),
      }),
    ),
    called: z.array(z.string()),
  }),
} as const satisfies Record<Hook["kind"], z.ZodType>;

describe("what leaves", () => {
  const sink = useStarted(() => startSink());
  beforeEach(() => sink.clear());
  const hook = (kind: Hook["kind"]): Hook => ({ kind, url: sink.url, secret: "the-key-of-this-hook" });
  const last = () => {
    const received = sink.received.at(-1);
    if (!received) throw new Error("nothing was sent");
    return received;
  };

  it.each(Object.keys(documented) as readonly Hook["kind"][])(
    "OC-3 to %s has the documented form: link, numbers, servers, risk, and nothing else",
    async (kind) => {
      expect(await callHook(hook(kind), alarm, now)).toEqual({ kind: "done" });
      documented[kind].parse(JSON.parse(last().body));
      expect(last().path).toBe(kind === "ntfy" ? "/" : "/hook");
      expect(last().headers.authorization).toBe(kind === "ntfy" ? "Bearer the-key-of-this-hook" : undefined);
    },
  );

  it("OC-3 as a plain POST is signed over time and body", async () => {
    await callHook(hook("webhook"), alarm, now);
    const { headers, body } = last();
    const stamp = headers["x-countersign-timestamp"];
    expect(Number(stamp) * 1000).toBe(now.getTime());
    const expected = createHmac("sha256", "the-key-of-this-hook").update(`${stamp}.${body}`).digest("hex");
    expect(headers["x-countersign-signature-256"]).toBe(`sha256=${expected}`);
  });

  it("OC-3 is not followed elsewhere, and is told apart: surely not arrived, or perhaps", async () => {
    sink.answer(302, { location: "http://127.0.0.1:1/elsewhere" });
    expect(await callHook(hook("slack"), alarm, now)).toEqual({ kind: "failed", fault: "HTTP 302" });
    expect(sink.received).toHaveLength(1);
    const gone = await startSink();
    await gone.close();
    expect(await callHook({ ...hook("slack"), url: gone.url }, alarm, now)).toEqual({
      kind: "failed",
      fault: "ECONNREFUSED",
    });
  });

  it.each([
    ["proves to be nobody we know", () => createTlsServer(createCertificate()), /CERT/],
    ["says nothing while the connection is made", () => createTcpServer(), /no answer within 0.3 s/],
  ])("OC-3 has surely not arrived where its server %s", async (_, createServer, fault) => {
    const server = createServer();
    const port = await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    const hook: Hook = { kind: "slack", url: `https://127.0.0.1:${port}/hook`, secret: undefined };
    const outcome = await callHook(hook, alarm, now, 300);
    server.close();
    expect(outcome).toEqual({ kind: "failed", fault: expect.stringMatching(fault) });
  });

  it("OC-3 may have arrived where its server took it and says nothing", async () => {
    const server = createTcpServer();
    const port = await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    const outcome = await callHook({ ...hook("slack"), url: `http://127.0.0.1:${port}/hook` }, alarm, now, 300);
    server.close();
    expect(outcome).toEqual({ kind: "unsure", fault: "no answer within 0.3 s" });
  });

  it("OC-7 a calendar that was read while the clock was ahead is read again once it is right", async () => {
    const text = (who: string) =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260301T090000Z\r\nDTEND:20260302T090000Z\r\nSUMMARY:${who}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    const read = createCalendar({ url: sink.url, timeZone: "UTC" }, () => {});
    sink.answer(200, {}, text("Lee"));
    expect(await read(new Date("2027-03-01T10:00:00Z"))).toMatchObject({ kind: "read", occurrences: [] });
    expect(await read(now)).toMatchObject({ kind: "read", occurrences: [{ summary: "Lee" }] });
    sink.answer(503);
    expect(await read(new Date("2026-02-28T10:00:00Z"))).toMatchObject({ kind: "unreadable" });
  });

  it("OC-7 a calendar is read from its own host alone, whole, and within its size", async () => {
    sink.answer(200, {}, "BEGIN:VCALENDAR");
    expect(await fetchCalendar(sink.url)).toBe("BEGIN:VCALENDAR");
    const refused = async (status: number, headers: Readonly<Record<string, string>>, body = "") => {
      sink.answer(status, headers, body);
      return fetchCalendar(sink.url).then(
        () => "read",
        (error: Error) => error.message,
      );
    };
    expect(await refused(503, {})).toBe("it answers with HTTP 503");
    const elsewhere = await refused(302, { location: "http://169.254.169.254/latest/meta-data" });
    expect(elsewhere).toBe("it redirects to another host, 169.254.169.254: write that address");
    expect(await refused(302, { location: "/hook" })).toBe("it redirects more than 3 times");
    expect(await refused(200, {}, "x".repeat(5 * 1024 * 1024 + 1))).toBe("it is larger than 5 MB");
    expect(await fetchCalendar("http://127.0.0.1:1/secret").catch((error: Error) => error.message)).not.toContain(
      "secret",
    );
  });
});
