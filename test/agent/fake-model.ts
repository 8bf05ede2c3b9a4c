import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the fake endpoint; each is used once, in order. */
export type Step =
  | {
      readonly text: string;
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown; readonly id?: string }[];
      readonly finish?: string;
      readonly usage?: Readonly<Record<string, unknown>> | null;
      /** The answer waits for this. */
      readonly after?: Promise<unknown>;
    }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly fault: "hang" | "headers-only" | "half-body" | "endless" | "reset" };

/** An answer that depends on what was asked. */
export type Reply = Step | ((asked: SeenRequest["body"]) => Step);

interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage["headers"];
  // The wire of the request as the endpoint sees it.
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

/** A Chat Completions endpoint on loopback that plays a script. */
export interface FakeModel {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly play: (...steps: readonly Reply[]) => void;
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

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const json = { "content-type": "application/json" };

function answer(step: Step, model: string, response: ServerResponse): void {
  if ("text" in step) {
    response.writeHead(200, json).end(JSON.stringify(completion(step, model)));
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
  const server: Server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const body = JSON.parse(text || "{}") as SeenRequest["body"];
      const { authorization } = request.headers;
      requests.push({ path: request.url ?? "", authorization, headers: request.headers, body });
      const next = steps.shift();
      const step = typeof next === "function" ? next(body) : next;
      if (!step) overused += 1;
      if (step && "text" in step) await step.after;
      answer(
        step ?? { status: 418, body: { error: { message: "the script of the fake model is over" } } },
        body.model,
        response,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play: (...more) => {
      steps.push(...more);
    },
    verify: () => {
      if (steps.length > 0) throw new Error(`${steps.length} steps of the fake model were not used`);
      if (overused > 0) throw new Error(`the fake model was asked ${overused} times too often`);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
