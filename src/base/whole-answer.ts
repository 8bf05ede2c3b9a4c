/**
 * Reads an answer to its end before anybody uses it. Octokit takes a body that breaks off, or that is refused while it comes, for an empty
 * one. Throws if it is too long or does not come.
 */
export async function wholeAnswer(answer: Response, mostBytes: number): Promise<Response> {
  if (answer.body === null) return answer;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = answer;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
