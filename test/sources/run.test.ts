import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createCertificate } from "../../emulator/kubernetes/certificate.ts";
import { listenAt } from "../../src/base/listen.ts";
import { onsetOf, pinOfSource, sparkline } from "../../src/sources/run.ts";
import { ca, listen, standIn, success } from "./stand-in.ts";
import { run, runnerOf, source, sourceServer } from "./world.ts";

describe("a query", () => {
  it("goes as a form, with token, tenant and a time of its own, and Loki's lines come back oldest first", async () => {
    const lines = [
      ["1764000002000000000", "second"],
      ["1764000001000000000", "first \u001b[31m", { trace: "x" }],
    ];
    const { url, asked } = await standIn(success("streams", [{ stream: { app: "shop" }, values: lines }]));
    const on = sourceServer({ kind: "loki", url: `${url}/tenant`, ca, tokenFile: "/t", tenant: "ops" });
    const { text, ending, hostKey } = await run(
      on,
      `query_range '{app="shop"} |= "&query=x"' --since 10m --until 2025-11-24T16:00Z --limit 2`,
    );
    expect(ending).toEqual({ kind: "exited", code: 0 });
    expect(hostKey).toMatch(/^CA SHA256:[0-9a-f]{64}$/);
    expect(asked).toEqual([
      {
        url: "POST /tenant/loki/api/v1/query_range",
        authorization: "Bearer t0ken",
        tenant: "ops",
        form: {
          query: `{app="shop"} |= "&query=x"`,
          start: "2025-11-24T15:50:00.000Z",
          end: "2025-11-24T16:00:00.000Z",
          step: "10",
          limit: "2",
          direction: "backward",
        },
      },
    ]);
    expect(text.split("\n")).toEqual([
      "1 streams, 2025-11-24T15:50:00Z to 2025-11-24T16:00:00Z",
      "",
      "the newest 2 lines; `--limit` allows more, a filter shows others",
      `2025-11-24T16:00:01.000Z {app="shop"} first \u001b[31m`,
      `2025-11-24T16:00:02.000Z {app="shop"} second`,
      "",
    ]);
  });

  it.each([
    ["another authority", { ca: createCertificate().cert }],
    ["the system's authorities", {}],
  ])("SR-51 a source that is known by %s gets no request and no token", async (_, given) => {
    const { url, asked } = await standIn(success("vector", []));
    const { ending } = await run(sourceServer({ url, tokenFile: "/t", ...given }), "query up");
    expect(ending).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("prom cannot be reached") });
    expect(asked).toEqual([]);
  });

  it("SR-51 a certificate authority that is not the approved one, and a token that is none, connect to nothing", async () => {
    const { url, asked } = await standIn(success("vector", []));
    const server = sourceServer({ url, ca, tokenFile: "/t" });
    const order = { server, wrapped: '{"call":"query","query":"up"}', hostKeys: ["CA SHA256:0"] };
    const signal = new AbortController().signal;
    expect(await (await runnerOf().reserve(order, signal)).prove()).toContain("not the one that was approved");
    const own = { ...order, hostKeys: [pinOfSource(source({ url, ca }))] };
    expect(await (await runnerOf("two\r\nlines").reserve(own, signal)).prove()).toContain("holds no token");
    expect(asked).toEqual([]);
  });

  it("SR-10 a redirect is an answer that is refused: the token goes nowhere else", async () => {
    const { url, asked } = await standIn({}, 302);
    const { ending, text } = await run(sourceServer({ url, ca, tokenFile: "/t" }), "query up");
    expect([ending, text]).toEqual([{ kind: "exited", code: 1 }, "HTTP 302: {}\n"]);
    expect(asked).toHaveLength(1);
  });

  it("SR-54 no more than max_bytes is read of an answer without an end", async () => {
    let written = 0;
    const { url } = await listen((_, response) => {
      const chunk = Buffer.alloc(16_384, 32);
      const more = (): void => {
        if (response.destroyed) return;
        written += chunk.length;
        if (response.write(chunk)) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    }, false);
    const { ending, text } = await run(sourceServer({ url }), "query up");
    expect(ending).toEqual({ kind: "exited", code: 1 });
    expect(text).toContain("longer than 65536 bytes, so it is not shown. Write `topk(10");
    // What the kernel's buffers took is the rest.
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it("SR-54 an answer that does not come, breaks off, or is stopped ends as what it is", async () => {
    const silent = await listen(() => {}, false);
    const slow = sourceServer({ url: silent.url }, { hardTimeoutMs: 100 });
    expect((await run(slow, "query up")).ending).toEqual({ kind: "timed-out", afterMs: 100 });
    const stop = new AbortController();
    const stopped = run(sourceServer({ url: silent.url }), "query up", stop.signal);
    silent.server.once("request", () => stop.abort({ by: "mona" }));
    expect((await stopped).ending).toEqual({ kind: "cancelled", by: "mona" });
    const broken = await listen((_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      response.socket?.end();
    }, false);
    const { ending, text } = await run(sourceServer({ url: broken.url }), "query up");
    expect(ending).toEqual({ kind: "exited", code: 1 });
    expect(text).toContain("The answer did not come: ");
    // What a source closes while people decide is connected to anew; what it closes after that was never asked.
    const order = { server: sourceServer({ url: silent.url }), wrapped: '{"call":"query","query":"up"}' };
    const kept = await runnerOf().reserve(order, new AbortController().signal);
    const close = async () => {
      silent.server.closeAllConnections();
      // By the time that another one has answered, the end has arrived.
      await run(sourceServer({ url: broken.url }), "query up");
    };
    await close();
    expect(await kept.prove()).toBeUndefined();
    expect(kept.send(Date.now() + 60_000, {})).toBe("stale");
    await close();
    expect(await kept.send(Date.now(), {})).toMatchObject({ ending: { kind: "unreachable" } });
    broken.server.close();
    broken.server.closeAllConnections();
    expect((await run(sourceServer({ url: broken.url }), "query up")).ending).toMatchObject({ kind: "unreachable" });
  });

  it("SR-54 an answer that goes over to another protocol is none, and is not waited for", async () => {
    const other = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    const stranger = createServer((socket) => socket.once("data", () => socket.write(other)));
    const port = await listenAt(stranger, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    const { ending, text } = await run(sourceServer({ url: `http://127.0.0.1:${port}` }), "query up");
    expect([ending, text]).toEqual([{ kind: "exited", code: 1 }, "The answer did not come: it is no HTTP answer\n"]);
    stranger.close();
  });

  it("AR-15 lines of logs are shown however many streams they are of, since `--limit` bounds them", async () => {
    const stream = (id: number) => ({
      stream: { app: "shop", trace: `${id}` },
      values: [[`${id}000000`, `line ${id}`]],
    });
    const many = Array.from({ length: 60 }, (_, id) => stream(id));
    const { url } = await standIn(success("streams", many));
    const { text, ending } = await run(
      sourceServer({ kind: "loki", url, ca, maxSeries: 50 }),
      `query_range '{app="shop"}'`,
    );
    expect([ending, text.trimEnd().split("\n").at(-1)]).toEqual([
      { kind: "exited", code: 0 },
      '1970-01-01T00:00:00.059Z {trace="59"} line 59',
    ]);
  });

  it("SR-20 a label is shown whatever its name", async () => {
    const rows = ["a", "b"].map((name) => ({ metric: { constructor: name }, value: [1, "1"] }));
    const { url } = await standIn(success("vector", rows));
    expect((await run(sourceServer({ url, ca }), "query up")).text).toContain('{constructor="a"}');
  });

  it.each([
    ["no JSON", "no JSON"],
    ["another form", success("vector", [{ metric: { a: 1 }, value: [1, "2"] }])],
    ["a number for a value", success("vector", [{ metric: {}, value: [1, 2] }])],
    ["a stream without a time", success("streams", [{ stream: {}, values: [["now", "line"]] }])],
  ])("AR-15 %s is no answer", async (_, answer) => {
    const { url } = await standIn(answer);
    const { ending, text } = await run(sourceServer({ url, ca }), "query up");
    expect([ending, text]).toEqual([
      { kind: "exited", code: 1 },
      "The answer has not the form that its API documents.\n",
    ]);
  });

  it("draws gaps, peaks, strings, histograms and what is no number", async () => {
    expect(sparkline([0, 1, Number.NaN, 7], 0, 7)).toBe("▁▂·█");
    const peak = Array.from({ length: 900 }, (_, at) => (at === 450 ? 9 : 0));
    expect(sparkline(peak, 0, 9)).toMatch(/^▁{15}█▁{14}$/);
    const rows = [
      {
        metric: { a: "line\nbreak" },
        values: [
          [1, "NaN"],
          [2, "NaN"],
        ],
      },
      { metric: { a: "b" }, histograms: [[1, { count: "3", sum: "4.5" }]] },
    ];
    const { url } = await standIn({ ...success("matrix", rows), warnings: ["half of it"] });
    const { text } = await run(sourceServer({ url, ca }), "query_range up");
    expect(text).toContain('{a="line\\nbreak"}  NaN');
    expect(text).toContain("warning: half of it");
    const string = await standIn(success("string", [1, "text"]));
    expect((await run(sourceServer({ url: string.url, ca }), "query up")).text).toContain("{}      text");
  });

  it.each([
    ["a step", [1, 1, 1, 1, 9, 9, 9, 9], 4],
    ["a step down", [1, 1, 1, 1, 1, 0, 0, 0], 5],
    ["a step in noise", [10, 12, 11, 10, 12, 11, 52, 50, 53, 51], 6],
    ["a step with a gap", [1, 1, Number.NaN, 1, 9, 9, 9], 4],
    ["a ramp behind a level", [5, 5, 5, 5, 5, 5, 10, 20, 30, 40, 50, 60], 6],
    ["one level", [3, 3, 3, 3, 3], undefined],
    ["noise", [3, 4, 3, 5, 3, 4, 5, 3, 4], undefined],
    ["a slope from the beginning", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], undefined],
    ["one peak that is over", [1, 1, 1, 1, 9, 1, 1, 1, 1, 1], undefined],
    ["too few", [1, 9], undefined],
    ["nothing", [], undefined],
  ] as const)("AR-15 the onset of %s", (_what, values, at) => {
    expect(onsetOf(values)).toBe(at);
  });
});
