import { describe, expect, test } from "vitest";
import { excerpt, presentCapture } from "../../src/text/output.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { createTruncation, type TruncatedText, truncate } from "../../src/text/truncate.ts";
import { createWeigher } from "../../src/text/weigh.ts";
import { fc } from "../harness/chance.ts";

const redact = createRedactor();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const capture = (head: string, tail = "", dropped = 0) => ({
  head: bytes(head),
  tail: bytes(tail),
  bytes: head.length + tail.length + dropped,
  dropped,
  sha256: "",
});

const excerptOf = (text: string, limit: number): TruncatedText => {
  const cut = createTruncation({ limit, more: "/output 2", weigh: createWeigher() });
  cut.push(text);
  return cut.finish();
};

/** A pod with a sidecar, as `kubectl describe` prints it. */
const described = (fillers: number): string =>
  [
    "Name:             cart-7d9",
    "Annotations:      kubectl.kubernetes.io/last-applied-configuration:",
    `                    {"apiVersion":"v1","status":"${"x".repeat(900)}"}`,
    "Containers:",
    "  proxy:",
    "    Environment:",
    ...Array.from({ length: fillers }, (_, at) => `      SETTING_${at}:  value-${at}`),
    "  app:",
    "    State:          Waiting",
    "      Reason:       CrashLoopBackOff",
    "    Last State:     Terminated",
    "      Exit Code:    137",
    "    Limits:",
    "      memory:  64Mi",
    "    Liveness:       http-get http://:8080/healthz delay=0s timeout=1s #success=1 #failure=3",
    "Tolerations:",
    ...Array.from({ length: fillers }, (_, at) => `                 key-${at}:NoExecute op=Exists for 300s`),
    "Events:",
    "  Type     Reason   Age   From     Message",
    "  ----     ------   ----  ----     -------",
    "  Normal   Pulled   5m    kubelet  Container image already present on machine",
    "  Warning  BackOff  1m    kubelet  Back-off restarting failed container",
    "",
  ].join("\n");

describe("AR-14 what an output is decides what the cut keeps", () => {
  test("a description keeps states, limits, probes and warnings with what they stand under", () => {
    const { text } = excerptOf(described(60), 1_200);
    for (const line of described(0).split("\n").slice(6, 14)) expect(text.split("\n")).toContain(line);
    expect(text).toMatch(/Name: +cart-7d9\n[\s\S]*Containers:\n[\s\S]* {2}app:\n/);
    expect(text).toMatch(/Type +Reason +Age[\s\S]*Warning +BackOff/);
    expect(text).not.toContain("apiVersion");
  });

  test("an object in YAML or JSON keeps its states", () => {
    const setting = (at: number): string => `    - name: SETTING_${at}\n      value: "${at}"`;
    const yaml = `kind: Pod\nspec:\n${Array.from({ length: 200 }, (_, at) => setting(at)).join("\n")}\nstatus:\n  lastState:\n    terminated:\n      exitCode: 137\n      reason: OOMKilled\n${Array.from({ length: 200 }, (_, at) => setting(at)).join("\n")}\n`;
    const { text } = excerptOf(yaml, 1_000);
    expect(text).toContain("status:\n  lastState:\n    terminated:\n      exitCode: 137\n      reason: OOMKilled\n");
  });

  test("a log keeps the last cause rather than the frames around it", () => {
    const frames = Array.from({ length: 300 }, (_, at) => `\tat com.acme.Shop.call${at}(Shop.java:${at})`);
    const log = [
      "Started",
      "java.lang.IllegalStateException: no context",
      ...frames,
      "Caused by: java.net.UnknownHostException: db-1",
      ...frames,
      "Stopped",
    ];
    const { text } = excerptOf(log.join("\n"), 600);
    expect(text).toContain("Caused by: java.net.UnknownHostException: db-1");
    expect(text).toContain("java.lang.IllegalStateException: no context");
    expect(text).toContain("Stopped");
  });

  test("a table keeps its head and the rows in trouble, and names those that do not fit", () => {
    const row = (at: number, ready: string): string =>
      `cart-${String(at).padStart(4, "0")}   ${ready}     1            3d`;
    const head = "NAME        READY   UP-TO-DATE   AGE";
    const few = Array.from({ length: 900 }, (_, at) => row(at, at === 444 ? "0/1" : "1/1"));
    expect(excerptOf([head, ...few].join("\n"), 500).text).toMatch(/^NAME +READY[^\n]*\n[\s\S]*cart-0444 {3}0\/1/);
    const many = Array.from({ length: 900 }, (_, at) => row(at, "0/1"));
    const { text } = excerptOf([head, ...many].join("\n"), 500);
    expect(text).toMatch(/characters left out; 0\/1: cart-\d{4}, cart-\d{4}/);
    expect(text.length).toBeLessThanOrEqual(500);
  });

  test("of events that do not fit, each kind shows its newest, and each thing in trouble is named with what it has", () => {
    const letters = "abcdefghjk";
    const event = (at: number, age: string, reason: string, message: string): string =>
      `${age.padEnd(12)}Warning   ${reason.padEnd(12)}pod/shop-${letters[at % 10]}-7b6f69669d-x${String(at).padStart(4, "0")}   ${message}`;
    const head = "LAST SEEN   TYPE      REASON      OBJECT                           MESSAGE";
    const many = Array.from({ length: 900 }, (_, at) =>
      event(at, `${60 - (at % 50)}m`, "BackOff", "Back-off restarting"),
    );
    const rows = [
      event(3, "2m1s", "Failed", 'secret "shop-d" not found'),
      ...many,
      event(4, "30s", "Unhealthy", "Readiness probe failed: 503"),
      ...many,
    ];
    const { text } = excerptOf([head, ...rows].join("\n"), 1_000);
    expect(text).toMatch(/^2m1s .*secret "shop-d" not found$/m);
    expect(text).toMatch(/^30s .*Readiness probe failed: 503$/m);
    expect(text).toMatch(/^11m .*BackOff/m);
    const shown = [...text.matchAll(/pod\/shop-([a-k])/g)].map(([, letter]) => letter);
    expect([...new Set(shown)].toSorted().join("")).toBe(letters);
    expect(text).toMatch(/; Warning BackOff: pod\/shop-[a-k]-\* \(\d+\)/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  const line = fc.oneof(
    fc.constantFrom(
      "fatal: boom",
      "    Exit Code: 137",
      "State:  Waiting",
      "all is well",
      "",
      "\tat a.b(C.java:1)",
      "{",
      "NAME   READY",
      "web    0/1",
      "x".repeat(700),
    ),
    fc.string({ maxLength: 60 }).map((text) => text.replaceAll("\n", " ")),
  );

  test("whatever the output, the cut one keeps the limit, and its lines are the output's in their order", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 400 }), fc.integer({ min: 200, max: 3_000 }), (lines, limit) => {
        const whole = lines.join("\n");
        const { text, total, cut } = excerptOf(whole, limit);
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(total).toBe(whole.length);
        if (whole.length <= limit) {
          expect(text).toBe(whole);
          return;
        }
        let at = 0;
        for (const one of text.split("\n").filter((each) => !/^ {2}⋯ .* left out.* ⋯$/.test(each))) {
          const found = whole.indexOf(one, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + one.length;
        }
        expect(cut).toBeGreaterThan(0);
      }),
    );
  });

  test("AR-14 rows are cut in their messages before any goes: each warning keeps its row", { tags: ["long"] }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 1_500 }), fc.integer({ min: 5, max: 28 }), (length, count) => {
        const row = (kind: string, reason: string, object: string, message: string): string =>
          `${"1m".padEnd(12)}${kind.padEnd(10)}${reason.padEnd(22)}${object.padEnd(24)}${message}`;
        const warnings = Array.from({ length: count }, (_, at) =>
          row(
            "Warning",
            ["Unhealthy", "FailedMount", "BackOff"][at % 3] ?? "",
            `pod/app-${at}x`,
            "why it is so ".repeat(150).slice(0, length),
          ),
        );
        const normal = Array.from({ length: 80 }, (_, at) =>
          row("Normal", "Pulled", `pod/web-${at}`, "Successfully pulled image"),
        );
        const table = [
          "LAST SEEN   TYPE      REASON                OBJECT                  MESSAGE",
          ...normal.slice(0, 40),
          ...warnings,
          ...normal.slice(40),
        ];
        const { text } = excerptOf(table.join("\n"), 5_000);
        expect(text.length).toBeLessThanOrEqual(5_000);
        for (const at of warnings.keys()) expect(text).toMatch(new RegExp(`^1m +Warning .*pod/app-${at}x`, "m"));
      }),
      { numRuns: 40 },
    );
  });

  test("a decisive line is never left out if one is kept that tells nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 99_999 })), { minLength: 100, maxLength: 600 }),
        fc.integer({ min: 200, max: 6_000 }),
        (of, limit) => {
          const lines = of.map(([isDecisive, id]) => `${isDecisive ? "fatal: boom" : "all is well"} ${id}`);
          const kept = excerptOf(lines.join("\n"), limit).text.split("\n").slice(1);
          const decisive = (all: readonly string[]): number => all.filter((one) => one.startsWith("fatal")).length;
          const hidden = decisive(lines.slice(1)) - decisive(kept);
          expect(hidden > 0 && kept.some((one) => one.startsWith("all is well"))).toBe(false);
        },
      ),
    );
  });

  test("is the same in whatever pieces the output comes", () => {
    const text = described(300);
    const whole = excerptOf(text, 2_000);
    for (const size of [1, 17, 4_096]) {
      const cut = createTruncation({ limit: 2_000, more: "/output 2", weigh: createWeigher() });
      for (let at = 0; at < text.length; at += size) cut.push(text.slice(at, at + size));
      expect(cut.finish()).toEqual(whole);
    }
  });

  test("a decisive line far from both ends of a large output is kept", { tags: ["long"] }, () => {
    const filler = (lines: number): string => "all is well here, as it was before\n".repeat(lines);
    const text = `${filler(20_000)}fatal: the one that tells\n${filler(30_000)}`;
    expect(excerptOf(text, 1_000).text).toContain("\nfatal: the one that tells\n");
  });
});

describe("AR-14 truncate", () => {
  test("keeps a text that fits", () => {
    expect(truncate("abc", { limit: 3, more: "/output 2" })).toEqual({ text: "abc", cut: 0, total: 3 });
  });

  test("keeps head and tail at line ends and says what it cut", () => {
    const text = Array.from({ length: 1000 }, (_, line) => `line ${String(line).padStart(3, "0")}`).join("\n");
    expect(truncate(text, { limit: 200, more: "/output 2" }).text).toBe(
      [
        ...Array.from({ length: 6 }, (_, line) => `line 00${line}`),
        "  ⋯ 8,856 of 8,999 characters left out · /output 2 ⋯",
        ...Array.from({ length: 10 }, (_, line) => `line ${990 + line}`),
      ].join("\n"),
    );
  });

  test("AR-15 a line that tells of trouble survives the cut, in its place", () => {
    const lines = Array.from({ length: 1000 }, (_, line) => `line ${String(line).padStart(3, "0")}`);
    lines[700] = "fatal: boom";
    const { text, cut } = excerptOf(lines.join("\n"), 300);
    expect(text).toMatch(/^line 000\n[\s\S]*\nfatal: boom\n[\s\S]*\nline 999$/);
    expect(text).toContain(`  ⋯ ${cut.toLocaleString("en-US")} of 9,002 characters left out · /output 2 ⋯\n`);
    expect(text).toMatch(/\n {2}⋯ \d+ lines left out ⋯\n/);
    expect(text.length).toBeLessThanOrEqual(300);
  });

  test("counts aloud exactly what is missing, never parts a character, keeps the limit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "🙂", "\n"), minLength: 300 }),
        fc.integer({ min: 120, max: 250 }),
        (text, limit) => {
          const short = truncate(text, { limit, more: "more" });
          const [head = "", tail = ""] = short.text.split(/\n? {2}⋯ .* ⋯\n?/);
          expect(short.text.isWellFormed()).toBe(true);
          expect(short.text.length).toBeLessThanOrEqual(limit);
          expect(short.cut).toBeGreaterThan(0);
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        },
      ),
    );
  });
});

test("SR-46 a secret is gone at every cut position, in head and tail", () => {
  const secret = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  for (let at = 0; at < 600; at += 7) {
    const stored = presentCapture(capture(`${"x ".repeat(at)}using ${secret} now ${"y ".repeat(600 - at)}`), redact);
    const shown = stored.ok ? excerpt(stored.text, { limit: 300, more: "m", redact }) : { withheld: stored.reason };
    expect(JSON.stringify([stored, shown])).not.toMatch(/ghp_|C3d4/);
  }
});

test("SR-46 half a secret at the gap of a capture is dropped with its line and counted", () => {
  const present = presentCapture(capture("first\nTOKEN IS A1b2C3", "d4E5f6 end\nlast\n", 100), redact);
  expect(present).toEqual({ ok: true, text: "first\n  ⋯ 126 bytes in the middle were not kept ⋯\nlast\n" });
});

test("SR-46 a capture read in pieces gives what it gives as a whole, wherever a piece ends", { tags: ["long"] }, () => {
  const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
  const line = `größe → using TOKEN=${secret} \u001b[1mnow\u001b[0m\n`;
  const all = Buffer.from(line.repeat(2_000));
  const [head, tail] = [all.subarray(0, 100_001), all.subarray(100_050)];
  const whole = presentCapture({ head, tail, bytes: all.length, dropped: 49, sha256: "" }, redact);
  expect(whole.ok && whole.text).toContain("now");
  for (const size of [65_536, 65_535, 9_999, 101]) {
    const cut = (bytes: Uint8Array) =>
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
    const pieces = { head: cut(head), tail: cut(tail) };
    const inPieces = presentCapture({ head, tail, pieces, bytes: all.length, dropped: 49, sha256: "" }, redact);
    expect(inPieces).toEqual(whole);
    expect(inPieces.ok && inPieces.text).not.toContain(secret.slice(0, 12));
  }
});

test("SR-48 an output the redactor fails on is withheld", () => {
  const failing = () => ({ ok: false, reason: "took too long" }) as const;
  expect(presentCapture(capture("x"), failing)).toEqual({ ok: false, reason: "took too long" });
  expect(excerpt("x", { limit: 10, more: "m", redact: failing })).toEqual({ withheld: "took too long" });
});
