import { type Fields, isRecord } from "../../base/json.ts";
import { checkLength } from "./capped-fetch.ts";

/** An answer that ended before it was whole. */
export class BrokenOff extends Error {
  override readonly name = "BrokenOff";
}

/** What a reader of an answer is told while it comes. */
export interface Listener {
  /** At each sign of life, a comment of the stream included. */
  readonly heard: () => void;
  /** The words so far. */
  readonly onText: (text: string) => void;
}

/** Reads the events of a stream that begins with such a body. */
export type ReadEvents = (response: Response) => AsyncIterable<unknown>;

/**
 * The body of an answer as it would be had it not been streamed. Whether it is a stream is told by how it begins: endpoints that
 * cannot stream answer whole whatever was asked, and not all name what they send. Text, where it is neither JSON nor a stream.
 * Throws where the connection fails, and `BrokenOff` where a stream ends before the answer has.
 */
export async function readAnswer(response: Response, readEvents: ReadEvents, listener: Listener): Promise<unknown> {
  const { begin, rest, isDone } = await peek(response, listener.heard);
  const { status, headers } = response;
  const body = new Response(rest, { status: status === 204 ? 200 : status, headers });
  if (/^[:deir]/.test(begin)) return gather(readEvents(body), { onText: listener.onText, isDone });
  const text = await body.text();
  // One that only calls itself a stream had a stream's cap so far.
  checkLength(text.length);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() !== "" && /\bjson\b/i.test(headers.get("content-type") ?? "")) throw error;
    return text;
  }
}

const doneMark = /^data: ?\[DONE\]/m;

/** How a body begins, blanks aside, the whole of it, and whether what was read of it ends as streams do. */
async function peek(response: Response, heard: () => void) {
  const reader = response.body?.getReader();
  let tail = "";
  const read = async (): Promise<Uint8Array | undefined> => {
    const chunk = await reader?.read();
    if (!chunk?.value) return undefined;
    heard();
    tail = (tail + Buffer.from(chunk.value.subarray(-64)).toString("latin1")).slice(-64);
    return chunk.value;
  };
  const decoder = new TextDecoder();
  const first: Uint8Array[] = [];
  let begin = "";
  while (begin === "") {
    const chunk = await read();
    if (!chunk) break;
    first.push(chunk);
    begin = decoder.decode(chunk, { stream: true }).trimStart();
  }
  const rest = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const chunk = first.shift() ?? (await read());
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return { begin, rest, isDone: () => doneMark.test(tail) };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Most endpoints send text, some a list of parts. */
const contentOf = (value: unknown): string =>
  Array.isArray(value) ? value.map((part) => (isRecord(part) ? textOf(part.text) : "")).join("") : textOf(value);

interface Call {
  readonly index: unknown;
  id: string;
  name: string;
  arguments: string;
}

/** Puts the pieces of a stream together: text and arguments are added up, of all else the last counts. */
async function gather(
  events: AsyncIterable<unknown>,
  { onText, isDone }: Pick<Listener, "onText"> & { readonly isDone: () => boolean },
): Promise<unknown> {
  const calls: Call[] = [];
  let content = "";
  let refusal = "";
  let finish: string | undefined;
  let usage: unknown;
  let begun = false;
  let length = 0;
  for await (const event of events) {
    if (!isRecord(event)) continue;
    usage = isRecord(event.usage) ? event.usage : usage;
    const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
    if (!isRecord(choice)) continue;
    begun = true;
    finish = textOf(choice.finish_reason) || finish;
    // Some send the whole message as one event.
    const delta = isRecord(choice.delta) ? choice.delta : choice.message;
    if (!isRecord(delta)) continue;
    const said = contentOf(delta.content);
    content += said;
    refusal += textOf(delta.refusal);
    const pieces = Array.isArray(delta.tool_calls) ? delta.tool_calls.filter(isRecord) : [];
    for (const piece of pieces) length += addPiece(calls, piece);
    checkLength(content.length + refusal.length + length);
    if (said !== "") onText(content);
  }
  if (!begun) return { usage };
  // A body can end as if all were well where what feeds it has not: one of the two marks must have come.
  if (finish === undefined && !isDone()) throw new BrokenOff("the stream ended without its end");
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({ id, function: { name, arguments: args } }));
  return { choices: [{ finish_reason: finish, message: { content, refusal, tool_calls } }], usage };
}

/** What a call weighs beside its words: a reply of many is as long as one of many words. */
const callCharacters = 512;
const sizeOf = ({ id, name, arguments: args }: Call): number => callCharacters + id.length + name.length + args.length;

/** Adds a piece to the call that it belongs to, or begins one with it; returns by how many characters the calls grew. */
function addPiece(calls: Call[], piece: Fields): number {
  const { index } = piece;
  const id = textOf(piece.id);
  const given = isRecord(piece.function) ? piece.function : {};
  const name = textOf(given.name);
  const args = isRecord(given.arguments) ? JSON.stringify(given.arguments) : textOf(given.arguments);
  const known = index === undefined ? calls.at(-1) : calls.findLast((call) => call.index === index);
  // Some endpoints count no calls, or give all of them the same index: then it is the id that tells them apart.
  if (known && (id === "" || id === known.id || known.id === "")) {
    const before = sizeOf(known);
    known.id ||= id;
    known.name ||= name;
    known.arguments += args;
    return sizeOf(known) - before;
  }
  const begun = { index, id, name, arguments: args };
  calls.push(begun);
  return sizeOf(begun);
}
