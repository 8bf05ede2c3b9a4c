import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { jsonLines } from "../base/json.ts";
import type { SignerAnswer } from "./protocol.ts";

export type DoorPlace =
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "tls";
      readonly host: string;
      readonly port: number;
      readonly cert: string;
      readonly key: string;
      /** SHA-256 of the certificates of those who may ask, in hex. */
      readonly clients: readonly string[];
    };

const mostGuests = 64;
const mostBytes = 1_000_000;
const idleMs = 30_000;

/** Answers each request. A guest whose certificate is not pinned is cut off before a byte is read. Returns the TLS port. */
export async function openDoor(
  place: DoorPlace,
  answer: (line: string) => Promise<SignerAnswer>,
): Promise<{ readonly port: number | undefined; readonly close: () => Promise<void> }> {
  const guests = new Set<Socket>();
  const welcome = (guest: Socket): void => {
    guests.add(guest);
    guest.on("error", () => guest.destroy()).on("close", () => guests.delete(guest));
    guest.setTimeout(idleMs, () => guest.destroy());
    if (guests.size > mostGuests) guest.destroy();
    else void serve(guest, answer);
  };
  let server: Server;
  if (place.kind === "socket") {
    // A killed signer leaves its socket behind; its record's lock shows that no other runs.
    rmSync(place.path, { force: true });
    server = createServer(welcome);
  } else {
    const { cert, key, clients } = place;
    server = createTlsServer(
      { cert, key, requestCert: true, rejectUnauthorized: false, minVersion: "TLSv1.3" },
      (guest) => {
        const { raw } = guest.getPeerCertificate();
        const isPinned = raw !== undefined && clients.includes(createHash("sha256").update(raw).digest("hex"));
        if (isPinned) welcome(guest);
        else guest.destroy();
      },
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (place.kind === "socket") server.listen(place.path, resolve);
    else server.listen(place.port, place.host, resolve);
  });
  // The group may ask: the bot has another account.
  if (place.kind === "socket") await chmod(place.path, 0o660);
  const at = server.address();
  return {
    port: at !== null && typeof at === "object" ? at.port : undefined,
    close: () => {
      for (const guest of guests) guest.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** One request a connection. */
async function serve(guest: Socket, answer: (line: string) => Promise<SignerAnswer>): Promise<void> {
  try {
    // The socket must stay open for the answer after the last read.
    for await (const line of jsonLines(bounded(guest.iterator({ destroyOnReturn: false })))) {
      const said = await answer(line);
      if (guest.writable) guest.end(`${JSON.stringify(said)}\n`);
      break;
    }
  } catch {
    guest.destroy(); // It left, or sent too much.
  }
}

async function* bounded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error("a request is too long");
    yield piece;
  }
}
