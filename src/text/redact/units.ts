/** So many zeros stand behind the end, so that a loop may look ahead unchecked. */
const spare = 3;

/**
 * The UTF-16 units of a text, and some zeros. A loop over them takes a third of the time of one over the text itself, which
 * is often a slice of another and has to be found anew for each character.
 */
export function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.allocUnsafe(2 * (text.length + spare));
  bytes.fill(0, bytes.write(text, "utf16le"));
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length + spare);
}
