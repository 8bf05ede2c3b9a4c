/** More than any useful answer; an endless one must not fill the memory (F-17). */
const maxAnswerBytes = 2 * 1024 * 1024;
/** A stream wraps each word of an answer in a few hundred bytes; what it says has the cap of an answer (`stream.ts`). */
const maxStreamBytes = 32 * 1024 * 1024;

class OverlongAnswer extends Error {
  override readonly name = "OverlongAnswer";
}

/** True where a request failed because its answer went past the cap. */
export const isOverlong = (thrown: unknown): boolean =>
  thrown instanceof OverlongAnswer || (thrown instanceof Error && thrown.cause instanceof OverlongAnswer);

/** Throws where an answer has more characters than any useful one. */
export function checkLength(characters: number): void {
  if (characters > maxAnswerBytes) throw new OverlongAnswer(`more than ${maxAnswerBytes} characters`);
}

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/**
 * The process's own way out, a proxy's included, without the HTTP client's limits of 300 s on headers and on a pause in the body:
 * how long an answer may take is for `model.deadline` to say, and an error must name the limit that struck.
 */
function patientDispatcher(): Dispatcher | undefined {
  const own: Dispatcher | undefined = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  const dispatch: Dispatcher["dispatch"] = (options, handler) =>
    own?.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler) ?? false;
  return own && Object.create(own, { dispatch: { value: dispatch } });
}

/** `fetch` that waits as long as its signal lets it, and whose response body errors past the cap, decompressed. */
export async function cappedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const dispatcher = patientDispatcher();
  const response = await fetch(input, { ...init, ...(dispatcher && { dispatcher }) });
  if (!response.body) return response;
  const maxBytes = isEventStream(response) ? maxStreamBytes : maxAnswerBytes;
  let bytes = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new OverlongAnswer(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers });
}

const isEventStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.toLowerCase().startsWith("text/event-stream") ?? false;
