import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** What a model says: words with tool calls, or the failure of its endpoint. */
export type Said =
  | { readonly text: string; readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[] }
  | { readonly status: number; readonly body: unknown };

/** A Chat Completions endpoint that answers what `answer` makes of the messages, and keeps every request as it came. */
export async function startTalkingModel(answer: (messages: readonly Message[]) => Said): Promise<{
  readonly url: string;
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}> {
  const requests: string[] = [];
  let calls = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      requests.push(text);
      const { messages } = JSON.parse(text) as { messages: readonly Message[] };
      const said = answer(messages);
      const status = "status" in said ? said.status : 200;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify("status" in said ? said.body : completion(said, () => ++calls)));
    });
  });
  // As long as a busy machine may stand still: whoever asks on a connection that just ended is not heard.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const completion = ({ text, toolCalls = [] }: Extract<Said, { text: string }>, next: () => number) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "fake",
  choices: [
    {
      index: 0,
      finish_reason: toolCalls.length > 0 ? "tool_calls" : "stop",
      message: {
        role: "assistant",
        content: text,
        ...(toolCalls.length > 0 && {
          tool_calls: toolCalls.map((call) => ({
            id: `call-${next()}`,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.arguments) },
          })),
        }),
      },
    },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
});
