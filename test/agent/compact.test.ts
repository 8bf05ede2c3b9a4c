import { describe, expect, it } from "vitest";
import { compact, compactAll, shortenRead } from "../../src/agent/compact.ts";
import type { ChatMessage } from "../../src/base/agent.ts";
import { delimit } from "../../src/text/read/visible.ts";

const count = ({ content }: ChatMessage) => Math.ceil(content.length / 4);
const total = (messages: readonly ChatMessage[]) => messages.reduce((sum, message) => sum + count(message), 0);

const system: ChatMessage = { role: "system", content: "s".repeat(400) };
const output = (n: number): ChatMessage => ({
  role: "user",
  content: `Run of ${n}.\n${delimit(`begin ${n}\n${"log line\n".repeat(400)}end ${n}`, `output of ${n}`, "n0nce")}`,
});
const said = (n: number): ChatMessage => ({ role: "assistant", content: `LIKELY: by ${n}.` });
const call = (id: string, name: string): ChatMessage => ({
  role: "assistant",
  content: "",
  toolCalls: [{ id, name, arguments: "{}" }],
});
const result = (id: string): ChatMessage => ({ role: "tool", toolCallId: id, content: `${id} ${"y".repeat(4_000)}` });

const turns = (n: number): readonly ChatMessage[] => [
  system,
  ...Array.from({ length: n }, (_, at) => [output(at + 1), said(at + 1)]).flat(),
];

describe("S15 compaction", () => {
  it("does nothing while there is room", () => {
    const messages = turns(5);
    expect(compact(messages, 10_000, count)).toEqual({ messages, removed: 0 });
  });

  it("shortens the oldest outputs, keeps how they begin and end, and says how to read them", () => {
    const { messages, removed } = compact(turns(10), 8_000, count);
    expect(removed).toBeGreaterThan(0);
    expect(total(messages)).toBeLessThan(0.75 * 8_000);
    const first = messages[1]?.content ?? "";
    expect(first).toMatch(
      /^Run of 1\.\n<output-of-1 nonce="n0nce">\nbegin 1\n[\s\S]*⋯ 3\d{3} characters left out to save room; read_output shows them ⋯[\s\S]*end 1\n<\/output-of-1 nonce="n0nce">$/,
    );
    expect(messages.at(-2)).toEqual(output(10));
  });

  it("what the model loaded with use_skill, what people wrote and what it said stay whole", () => {
    const person: ChatMessage = { role: "user", content: delimit("p".repeat(4_000), "comment 5 by mona", "n0nce") };
    const messages = [
      system,
      person,
      call("skill", "use_skill"),
      result("skill"),
      call("read", "read_output"),
      result("read"),
      said(1),
      { role: "user", content: "go on" } as const,
    ];
    const kept = compactAll(messages).messages;
    expect(kept.filter((message, at) => message !== messages[at])).toMatchObject([
      { role: "tool", toolCallId: "read" },
    ]);
    expect(kept[5]?.content).toMatch(/^read y+\n⋯ 3\d{3} characters left out to save room; call the tool again ⋯\ny+$/);
  });

  it("the newest message stays whole, however full the window is", () => {
    const messages = [system, output(1)];
    expect(compact(messages, 100, count)).toEqual({ messages, removed: 0 });
    expect(compactAll(messages)).toEqual({ messages, removed: 0 });
  });

  it("a conversation that grows is mostly sent as it was sent before, so that the provider's cache holds", () => {
    let before: readonly ChatMessage[] = [];
    let broken = 0;
    for (let n = 1; n <= 40; n += 1) {
      const { messages } = compact(turns(n), 12_000, count);
      expect(total(messages)).toBeLessThan(0.76 * 12_000);
      if (before.some(({ content }, at) => messages[at]?.content !== content)) broken += 1;
      before = messages;
    }
    expect(broken).toBeLessThanOrEqual(10);
  });
});

describe("S15 what has been read", () => {
  const rows = Array.from({ length: 60 }, (_, at) => `row ${at} worker-${at}.acme.example uses ${at * 37} MB`);
  const told = (n: number): ChatMessage => ({
    role: "user",
    content: `Run of ${n} on web-1: ✅ exit 0.\n${delimit(`$ ps of ${n}\n${rows.join("\n")}\n  ⋯ trouble in it: row 7 ⋯`, `output of ${n}`, "n0nce")}`,
  });
  const conversation = (n: number) =>
    Array.from({ length: n }, (_, at): readonly ChatMessage[] => [
      told(at + 1),
      {
        role: "assistant",
        content: `CONFIRMED: worker-${at + 20}.acme.example uses ${(at + 20) * 37} MB (run ${at + 1}).`,
      },
    ]).flat();

  it("is kept by its command, its verdict, the lines that the reply used, those that tell of trouble, and the way to the rest", () => {
    const [first, , second] = shortenRead(conversation(2));
    expect(first?.content).toMatch(
      /^Run of 1 on web-1: ✅ exit 0\.\n<output-of-1 nonce="n0nce">\n\$ ps of 1\n[\s\S]*row 20 worker-20\.acme\.example uses 740 MB\n[\s\S]*trouble in it: row 7 ⋯\n⋯ you have read it; \d+ characters left out; read_output shows them ⋯\n<\/output-of-1 nonce="n0nce">$/,
    );
    expect(first?.content.length).toBeLessThan(1_000);
    expect(second).toEqual(told(2));
  });

  it("stays whole while it is short, is no output, or the turn that is asked now may still need it", () => {
    const short: ChatMessage = { role: "user", content: delimit("$ df\n100%", "output of 1", "n0nce") };
    const person: ChatMessage = { role: "user", content: delimit("p".repeat(4_000), "comment 5 by mona", "n0nce") };
    const messages = [short, said(1), person, said(2), told(3), said(3)];
    expect(shortenRead(messages)).toEqual(messages);
  });

  it("never changes again once it is shortened, so that the provider's cache holds", () => {
    for (let n = 2; n <= 12; n += 1) {
      const before = shortenRead(conversation(n)).slice(0, 2 * (n - 1));
      expect(shortenRead(conversation(n + 1)).slice(0, before.length)).toEqual(before);
    }
  });

  describe("of plans", () => {
    const call = (name: string, id: string) => ({ id, name, arguments: `{"plan":"${id}"}` });
    const turn = (
      n: number,
      given: { plan?: string; alone?: boolean; words?: string } = {},
    ): readonly ChatMessage[] => [
      { role: "user", content: `news ${n}` },
      {
        role: "assistant",
        content: given.words ?? "",
        toolCalls: [call("update_plan", `plan-${n}`), ...(given.alone ? [] : [call("propose_actions", `list-${n}`)])],
      },
      { role: "tool", toolCallId: `plan-${n}`, content: given.plan ?? "The plan is updated." },
      ...(given.alone ? [] : [{ role: "tool", toolCallId: `list-${n}`, content: "Proposed." } as const]),
      { role: "assistant", content: `reply ${n}` },
    ];
    const plansIn = (messages: readonly ChatMessage[]) => [
      ...new Set(
        JSON.stringify(messages)
          .match(/plan-\d+/g)
          ?.map((one) => Number(one.slice(5))),
      ),
    ];

    it("OP-6 sends none with its result that the next turn replaced, and never changes a turn that is over", () => {
      const conversation = (n: number) => Array.from({ length: n }, (_, at) => turn(at + 1)).flat();
      for (let n = 2; n <= 8; n += 1) {
        const sent = shortenRead(conversation(n));
        expect(plansIn(sent)).toEqual([n]);
        const over = shortenRead(conversation(n)).slice(0, 4 * (n - 1));
        expect(shortenRead(conversation(n + 1)).slice(0, over.length)).toEqual(over);
      }
    });

    it("OP-6 keeps the one that holds, what came with one, and words that would lose their call", () => {
      const quiet: readonly ChatMessage[] = [{ role: "user", content: "news" }, said(1)];
      expect(plansIn(shortenRead([...turn(1), ...quiet, ...quiet, ...turn(2)]))).toEqual([1, 2]);
      expect(plansIn(shortenRead([...turn(1), ...turn(2, { plan: "Error: too long" }), ...quiet]))).toEqual([1, 2]);
      const output = `The plan is updated.\n\n${delimit("$ df\n100%", "output of 1", "n0nce")}`;
      expect(plansIn(shortenRead([...turn(1, { plan: output }), ...turn(2)]))).toEqual([1, 2]);
      expect(plansIn(shortenRead([...turn(1, { alone: true, words: "Planning." }), ...turn(2)]))).toEqual([1, 2]);
      expect(plansIn(shortenRead([...turn(1, { alone: true }), ...turn(2)]))).toEqual([2]);
    });
  });
});
