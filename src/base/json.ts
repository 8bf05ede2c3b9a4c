export type Fields = Readonly<Record<string, unknown>>;

/** Returns what a text holds as JSON; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells an object from a list and from anything else. */
export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The lines of a text that comes in pieces. No other character ends one: of Node's `readline` a U+2028 does, which JSON may hold. */
export async function* jsonLines(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = `${rest}${typeof piece === "string" ? piece : decoder.decode(piece, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
