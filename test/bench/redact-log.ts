import { readFileSync } from "node:fs";

/** A labelled record of `test/data/redaction*.jsonl`. */
export type Labelled = {
  readonly kind: "secret" | "benign";
  readonly text: string;
  readonly secrets: readonly string[];
  readonly keep: readonly string[];
};

/** The records of a file; the sign that keeps scanners of repositories away is taken out. */
export const recordsOf = (name: string): readonly Labelled[] =>
  readFileSync(new URL(`../data/${name}.jsonl`, import.meta.url), "utf8")
    .replaceAll("\u2042", "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Lines as servers write them; `n` makes each another. */
const shapes: readonly ((n: number) => string)[] = [
  (n) =>
    `10.0.${n % 250}.${n % 199} - - [12/Mar/2026:10:${pad(n % 60)}:${pad(n % 59)} +0000] "GET /api/v1/orders/${n}?page=${n % 9} HTTP/1.1" 200 ${n % 9000} "-" "Mozilla/5.0 (X11; Linux x86_64)" 0.0${n % 97}`,
  (n) =>
    `2026-03-12T10:${pad(n % 60)}:${pad(n % 59)}.${100 + (n % 900)}Z INFO  [http-nio-8080-exec-${n % 40}] c.s.orders.OrderService - order ${n} accepted in ${n % 300} ms`,
  (n) =>
    `Mar 12 10:${pad(n % 60)}:${pad(n % 59)} web-${n % 12} systemd[1]: Started session-${n}.scope - Session ${n} of user deploy.`,
  (n) =>
    `{"level":"info","ts":${1773300000 + n},"caller":"api/server.go:${n % 400}","msg":"request served","method":"POST","path":"/v1/carts/${n}","status":201,"durationMs":${n % 700},"traceId":"${hex(n, 32)}"}`,
  (n) =>
    `time="2026-03-12T10:${pad(n % 60)}:00Z" level=info msg="reconciled" kind=Deployment name=shop-${n % 30} replicas=${n % 5} took=${n % 90}ms`,
  (n) =>
    `E0312 10:${pad(n % 60)}:${pad(n % 59)}.${100000 + n} 1 reflector.go:138] failed to list *v1.Pod: connection refused 10.96.0.1:443`,
  (n) => `    at processTicksAndRejections (node:internal/process/task_queues:${n % 200}:5)`,
  (n) =>
    `Mar 12 10:00:${pad(n % 60)} db-1 postgres[${n % 30000}]: LOG:  duration: ${n % 4000}.${n % 999} ms  statement: SELECT id, total FROM orders WHERE customer = ${n}`,
  (n) =>
    `web-${n % 12} kernel: [${n}.${100000 + (n % 800000)}] TCP: request_sock_TCP: Possible SYN flooding on port 443. Sending cookies.`,
  (n) =>
    `Mar 12 10:${pad(n % 60)}:01 web-1 sshd[${n % 30000}]: Accepted publickey for deploy from 10.1.2.${n % 250} port ${n % 60000} ssh2: ED25519 SHA256:${hex(n, 43)}`,
];

const pad = (n: number): string => String(n).padStart(2, "0");
const hex = (n: number, length: number): string =>
  (n * 2654435761).toString(16).padEnd(8, "0").repeat(6).slice(0, length);

const logBytes = 10_000_000;

/** A log in which every `every`th line is a record that holds secrets. */
export function realisticLog(secret: readonly Labelled[], every: number): string {
  return fill((at) =>
    at % every === 0 ? secret[(at / every) % secret.length]?.text : shapes[at % shapes.length]?.(at),
  );
}

/** Nothing but records, taken in turn. */
export const logOf = (records: readonly Labelled[]): string => fill((at) => records[at % records.length]?.text);

function fill(lineAt: (at: number) => string | undefined): string {
  const lines: string[] = [];
  for (let size = 0, at = 0; size < logBytes; at++) {
    const line = lineAt(at) ?? "";
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n");
}
