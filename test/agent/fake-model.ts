import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the fake endpoint; each is used once, in order. Words are streamed where that is asked for. */
export type Step =
  | {
      readonly text: string;
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown; readonly id?: string }[];
      readonly finish?: string;
      readonly usage?: Readonly<Record<string, unknown>> | null;
      /** The answer waits for this. */
      readonly after?: Promise<unknown>;
      /** It comes whole, whatever was asked. */
      readonly whole?: true;
    }
  /** A body as it stands, piece by piece; what is a promise is waited for. A stream, unless the headers say otherwise. */
  | {
      readonly pieces: readonly (string | Uint8Array | Promise<unknown>)[];
      readonly headers?: Readonly<Record<string, string>>;
      /** How it ends: as it should unless said otherwise. */
      readonly ends?: "reset" | "never";
    }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly fault: "hang" | "headers-only" | "half-body" | "endless" | "reset" };

/** An answer that depends on what was asked. */
export type Reply = Step | ((asked: SeenRequest["body"]) => Step | Promise<Step>);

interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage["headers"];
  // The wire of the request as the endpoint sees it.
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly tool_choice?: string;
    readonly stream?: boolean;
    readonly stream_options?: { readonly include_usage: boolean };
  };
}

/** A message of a request, and what a talking model makes of them: words with tool calls, or the failure of its endpoint. */
export type Message = SeenRequest["body"]["messages"][number];
export type Said = Extract<Step, { text: string } | { status: number }>;

/** A Chat Completions endpoint on loopback that plays a script. */
export interface FakeModel {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly play: (...steps: readonly Reply[]) => void;
  /** Answers whatever has no step of its own. */
  readonly otherwise: (reply: Reply) => void;
  /** Throws where steps are left over or requests came without one. */
  readonly verify: () => void;
  readonly close: () => Promise<void>;
}

const completion = (step: Extract<Step, { text: string }>, model: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model,
  choices: [
    {
      index: 0,
      finish_reason: step.finish ?? (step.toolCalls ? "tool_calls" : "stop"),
      message: {
        role: "assistant",
        content: step.text,
        ...(step.toolCalls && {
          tool_calls: step.toolCalls.map((call, i) => ({
            id: call.id ?? `call-${i}-${call.name}`,
            type: "function",
            function: {
              name: call.name,
              arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
            },
          })),
        }),
      },
    },
  ],
  ...(step.usage === null
    ? {}
    : { usage: step.usage ?? { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
});

/** An event of a stream. */
export const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const thirds = (text: string): readonly string[] => {
  const size = Math.max(1, Math.ceil(text.length / 3));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
};

/** The same as a stream, as OpenAI sends it: role first, usage after the last choice, only where it was asked for. */
function streamed(step: Extract<Step, { text: string }>, asked: SeenRequest["body"]): readonly string[] {
  const { choices, usage, ...common } = completion(step, asked.model);
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    event({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const calls = choices[0]?.message.tool_calls ?? [];
  return [
    chunk({ role: "assistant", content: "" }),
    ...thirds(step.text).map((content) => chunk({ content })),
    ...calls.flatMap(({ function: { name, arguments: args }, ...call }, index) => [
      chunk({ tool_calls: [{ index, ...call, function: { name, arguments: "" } }] }),
      ...thirds(args).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    chunk({}, choices[0]?.finish_reason),
    ...(usage && asked.stream_options?.include_usage ? [event({ ...common, choices: [], usage })] : []),
    "data: [DONE]\n\n",
  ];
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const json = { "content-type": "application/json" };

const sse = { "content-type": "text/event-stream; charset=utf-8" };

async function send(step: Extract<Step, { pieces: unknown }>, response: ServerResponse): Promise<void> {
  response.writeHead(200, step.headers ?? sse).flushHeaders();
  for (const piece of step.pieces) {
    if (piece instanceof Promise) await piece;
    else await new Promise((resolve) => response.write(piece, resolve));
  }
  if (step.ends === undefined) response.end();
  if (step.ends === "reset") response.destroy();
}

function answer(step: Step, asked: SeenRequest["body"], response: ServerResponse): void {
  if ("pieces" in step) {
    void send(step, response);
  } else if ("text" in step && asked.stream && !step.whole) {
    response.writeHead(200, sse).end(streamed(step, asked).join(""));
  } else if ("text" in step) {
    response.writeHead(200, json).end(JSON.stringify(completion(step, asked.model)));
  } else if ("status" in step) {
    const isText = typeof step.body === "string";
    response.writeHead(step.status, { "content-type": isText ? "text/html" : "application/json", ...step.headers });
    response.end(isText ? step.body : JSON.stringify(step.body ?? {}));
  } else if (step.fault === "reset") {
    response.destroy();
  } else if (step.fault === "half-body") {
    response.writeHead(200, { ...json, "content-length": "5000" });
    response.write('{"choices":[{"message":{"content":"half', () => response.destroy());
  } else if (step.fault === "headers-only") {
    response.writeHead(200, json).flushHeaders();
  } else if (step.fault === "endless") {
    response.writeHead(200, json);
    const more = () => {
      while (!response.destroyed && response.write("[".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  }
}

export async function startFakeModel(): Promise<FakeModel> {
  const steps: Reply[] = [];
  const requests: SeenRequest[] = [];
  let overused = 0;
  let fallback: Reply | undefined;
  const server: Server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const body = JSON.parse(text || "{}") as SeenRequest["body"];
      const { authorization } = request.headers;
      requests.push({ path: request.url ?? "", authorization, headers: request.headers, body });
      const next = steps.shift() ?? fallback;
      const step = typeof next === "function" ? await next(body) : next;
      if (!step) overused += 1;
      if (step && "text" in step) await step.after;
      answer(
        step ?? { status: 418, body: { error: { message: "the script of the fake model is over" } } },
        body,
        response,
      );
    });
  });
  // As long as a busy machine may stand still: whoever asks on a connection that just ended is not heard.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play: (...more) => {
      steps.push(...more);
    },
    otherwise: (reply) => {
      fallback = reply;
    },
    verify: () => {
      // One that fails hands nothing on to the next test.
      const unused = steps.splice(0).length;
      const over = overused;
      overused = 0;
      if (unused > 0) throw new Error(`${unused} steps of the fake model were not used`);
      if (over > 0) throw new Error(`the fake model was asked ${over} times too often`);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One that answers what `answer` makes of the messages, never as a stream; each call of a tool has an id of its own. */
export async function startTalkingModel(answer: (messages: readonly Message[]) => Said): Promise<FakeModel> {
  const model = await startFakeModel();
  let calls = 0;
  model.otherwise(({ messages }) => {
    const said = answer(messages);
    if (!("text" in said)) return said;
    const toolCalls = said.toolCalls?.map((call) => ({ ...call, id: `call-${++calls}` }));
    return { ...said, whole: true, ...(toolCalls && { toolCalls }) };
  });
  return model;
}
