import { createServer as createPlain, type IncomingMessage, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { createCertificate } from "../../emulator/kubernetes/certificate.ts";

const certificate = createCertificate();
/** By which stand-ins are known. */
export const ca = certificate.cert;

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

interface Asked {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly tenant: unknown;
  readonly form: Readonly<Record<string, string>>;
}

/** A server of this test on the loopback, over TLS unless said otherwise. */
export const listen = async (listener: RequestListener, tls = true) => {
  const server = tls ? createServer({ ...certificate }, listener) : createPlain(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};

/** A source that answers what its API documents, over TLS; nothing of Loki is packaged in Debian. */
export async function standIn(answer: unknown, status = 200) {
  const asked: Asked[] = [];
  const { url } = await listen(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await textOf(request)));
    const { authorization, "x-scope-orgid": tenant } = request.headers;
    asked.push({ url: `${request.method} ${request.url}`, authorization, tenant, form });
    response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(JSON.stringify(answer));
  });
  return { url, asked };
}

/** A successful answer. */
export const success = (resultType: string, result: unknown) => ({ status: "success", data: { resultType, result } });
