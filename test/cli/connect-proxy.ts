import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, request } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A company's network: names that only its proxy knows, with certificates of its own authority. */
export interface Company {
  /** For HTTPS_PROXY. */
  readonly proxy: string;
  /** The authority's certificate, for NODE_EXTRA_CA_CERTS. */
  readonly authority: string;
  /** `host:port` of each tunnel that was asked for, in order. */
  readonly tunnels: readonly string[];
  readonly close: () => Promise<void>;
}

/** Serves each host, e.g. `api.github.test`, by what answers at the address given for it. */
export async function startCompany(hosts: Readonly<Record<string, string>>): Promise<Company> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-company-"));
  const [key, authority] = [join(folder, "key.pem"), join(folder, "ca.pem")];
  const names = Object.keys(hosts).map((host) => `DNS:${host}`);
  const subject = ["-subj", "/CN=Acme authority", "-addext", `subjectAltName=${names.join(",")}`];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", authority, ...subject], { stdio: "ignore" });
  const tls = createHttps({ key: readFileSync(key), cert: readFileSync(authority) }, (incoming, outgoing) => {
    const to = new URL(incoming.url ?? "/", hosts[(incoming.headers.host ?? "").split(":", 1)[0] ?? ""]);
    pass(incoming, to).then(
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
      () => outgoing.writeHead(502).end(),
    );
  });
  const behind = await listening(tls);
  const tunnels: string[] = [];
  const proxy = createHttp((_, answer) => answer.writeHead(405).end());
  proxy.on("connect", ({ url = "" }, client) => {
    tunnels.push(url);
    if (!(String(url.split(":", 1)[0]) in hosts)) return void client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const server = connect(behind, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    client.on("error", () => server.destroy());
    server.on("error", () => client.destroy());
  });
  const port = await listening(proxy);
  return {
    proxy: `http://127.0.0.1:${port}`,
    authority,
    tunnels,
    close: async () => {
      tls.closeAllConnections();
      proxy.closeAllConnections();
      await Promise.all([tls, proxy].map((one) => new Promise((resolve) => one.close(resolve))));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function pass(incoming: IncomingMessage, to: URL): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    incoming.pipe(request(to, { method, headers: { ...headers, host: to.host } }, resolve).once("error", reject));
  });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
