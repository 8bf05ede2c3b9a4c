/** More than any useful answer; an endless one must not fill the memory (F-17). */
const maxAnswerBytes = 2 * 1024 * 1024;

class OverlongAnswer extends Error {
  override readonly name = "OverlongAnswer";
}

/** True where a request failed because its answer went past the cap. */
export const isOverlong = (thrown: unknown): boolean =>
  thrown instanceof OverlongAnswer || (thrown instanceof Error && thrown.cause instanceof OverlongAnswer);

/** `fetch` whose response body errors after 2 MiB, decompressed. */
export async function cappedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (!response.body) return response;
  let bytes = 0;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes) controller.error(new OverlongAnswer(`more than ${maxAnswerBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(cap), { status, statusText, headers });
}
