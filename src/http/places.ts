import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { every } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import { addressOf, type Caller, createNetworks, networkOfAddress } from "../base/networks.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * Decides which connections stay (SR-03, SR-62). A new one always gets a place: the one with the least progress goes, unless its sender has
 * proved who it is. This holds for every path.
 */

interface PlacesOptions {
  /** With 0 the peer is the sender. */
  readonly trustedProxies: () => number;
  /** The time for a body before its first byte. */
  readonly bodyBaseMs: number;
  /** Gets the ends since the last call, every few seconds at most. */
  readonly onEnded: (ended: EndedConnections) => void;
}

export interface EndedConnections {
  /** Others needed their places. */
  readonly crowded: number;
  /** Too slow. */
  readonly late: number;
  /** Too many pieces: each costs time, however small. */
  readonly scattered: number;
}

interface ConnectionPlace {
  readonly end: (reason: keyof EndedConnections) => void;
  readonly countBody: (bytes: BodyBytes) => void;
  readonly setVerified: () => void;
  /** Undefined while only the proxy is known. */
  address: string | undefined;
  /** The start of its request, or of the wait for one. */
  since: number;
  receivedBytes: number;
  pieces: number;
  heldBytes: number;
  readonly unanswered: Set<Exchange>;
  isVerified: boolean;
  readonly socket: Socket;
}

interface BodyBytes {
  readonly received: number;
  /** Memory; negative if freed. */
  readonly held: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const mostPlaces = 512;
const mostPerAddress = mostPlaces / 2;
const mostHeldBytes = 64 * 1024 * 1024;
/** Senders that the bot serves do not pipeline requests. */
const mostUnanswered = 16;
/** A received megabyte gives a body another second. */
const bytesPerMs = (1024 * 1024) / 1000;
/** A new connection has sent nothing yet, and is not slow. */
const creditBytes = 64 * 1024;
/** A body may have these, and one more for each `bytesPerPiece`. */
const leastPieces = 512;
const bytesPerPiece = 64;
const answerMs = 60_000;
const sweepMs = 1_000;
const reportMs = 10_000;

const farewells = {
  crowded: ["503 Service Unavailable", "too many at once"],
  late: ["408 Request Timeout", "too slow"],
  scattered: ["413 Content Too Large", "too many pieces"],
} as const;

const placeOf = new WeakMap<Socket, ConnectionPlace>();

/**
 * Spares the connection until its next request. The waiting room bounds such requests, and a kept connection must be open for the next
 * webhook.
 */
export const markVerified = ({ socket }: IncomingMessage): void => placeOf.get(socket)?.setVerified();

/** Without room for them, another connection loses its place. */
const countBody = ({ socket }: IncomingMessage, bytes: BodyBytes): void => placeOf.get(socket)?.countBody(bytes);

/** Bounds connections, memory and time. Must be called before other listeners are added. */
export function keepPlaces(server: Server, { trustedProxies, bodyBaseMs, onEnded }: PlacesOptions): void {
  const places = new Set<ConnectionPlace>();
  let heldBytes = 0;
  const ended = { crowded: 0, late: 0, scattered: 0 };
  let reportedAt = Number.NEGATIVE_INFINITY;

  const endWorst = (
    most: number,
    may: (place: ConnectionPlace) => boolean,
    badness: (place: ConnectionPlace) => number,
  ): void => {
    let count = 0;
    let worst: { readonly place: ConnectionPlace; readonly badness: number } | undefined;
    for (const place of places) {
      if (!may(place)) continue;
      count++;
      const own = badness(place);
      if (worst === undefined || own > worst.badness) worst = { place, badness: own };
    }
    if (count > most) worst?.place.end("crowded");
  };

  const makeRoom = (address: string | undefined): void => {
    if (places.size <= mostPerAddress) return;
    const now = performance.now();
    const slowness = (place: ConnectionPlace): number => (now - place.since + 1) / (creditBytes + place.receivedBytes);
    const isOfAddress = (place: ConnectionPlace): boolean => !place.isVerified && place.address === address;
    if (address !== undefined) endWorst(mostPerAddress, isOfAddress, slowness);
    endWorst(mostPlaces, ({ isVerified }) => !isVerified, slowness);
  };

  const freeBytes = (): void => {
    const now = performance.now();
    const cost = (place: ConnectionPlace): number => place.heldBytes * (now - place.since + 1);
    while (heldBytes > mostHeldBytes) endWorst(0, (place) => place.heldBytes > 0, cost);
  };

  server.on("connection", (socket: Socket) => {
    const leave = (): void => {
      if (places.delete(place)) heldBytes -= place.heldBytes;
    };
    const place: ConnectionPlace = {
      socket,
      address: trustedProxies() === 0 ? networkOfAddress(socket.remoteAddress) : undefined,
      since: performance.now(),
      receivedBytes: 0,
      pieces: 0,
      heldBytes: 0,
      unanswered: new Set(),
      isVerified: false,
      setVerified: () => {
        place.isVerified = true;
      },
      countBody: ({ received, held }) => {
        if (!places.has(place)) return;
        place.heldBytes += held;
        heldBytes += held;
        if (received > 0) {
          place.receivedBytes += received;
          if (++place.pieces > leastPieces + place.receivedBytes / bytesPerPiece) place.end("scattered");
        }
        if (heldBytes > mostHeldBytes) freeBytes();
      },
      end: (reason) => {
        leave();
        ended[reason]++;
        const [status, text] = farewells[reason];
        const [first, ...others] = place.unanswered;
        // Else the client takes this text for a part of another answer.
        const isClear = first ? others.length === 0 && !first.response.headersSent : socket.bytesWritten === 0;
        if (isClear)
          socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
        socket.destroy();
      },
    };
    places.add(place);
    placeOf.set(socket, place);
    socket.once("close", leave);
    makeRoom(place.address);
  });

  server.on("request", (request, response) => {
    const place = placeOf.get(request.socket);
    if (!place) return;
    const exchange = { request, response };
    const begin = (): void => {
      place.since = performance.now();
      place.receivedBytes = 0;
      place.pieces = 0;
    };
    if (place.unanswered.size === 0) {
      begin();
      place.isVerified = false;
    }
    place.unanswered.add(exchange);
    if (place.unanswered.size > mostUnanswered) return place.end("crowded");
    response.once("close", () => {
      place.unanswered.delete(exchange);
      if (place.unanswered.size > 0) return;
      begin();
      if (trustedProxies() > 0) place.address = undefined;
      if (places.has(place)) makeRoom(place.address);
    });
    if (trustedProxies() === 0) return;
    const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
    place.address = networkOfAddress(addressOf({ remote: request.socket.remoteAddress, forwarded }, trustedProxies()));
    makeRoom(place.address);
  });

  const isLate = (place: ConnectionPlace, now: number): boolean => {
    const [first] = place.unanswered;
    if (!first || place.isVerified) return false;
    const mostMs = first.request.complete ? answerMs : bodyBaseMs + place.receivedBytes / bytesPerMs;
    return now - place.since > mostMs;
  };
  const report = (): void => {
    if (Object.values(ended).every((count) => count === 0)) return;
    reportedAt = performance.now();
    onEnded({ ...ended });
    Object.assign(ended, { crowded: 0, late: 0, scattered: 0 });
  };
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const place of [...places]) if (isLate(place, now)) place.end("late");
    if (now - reportedAt >= reportMs) report();
  }, sweepMs).unref();
  server.once("close", () => {
    clearInterval(sweep);
    report();
  });
}

/** Refuses webhooks by address before the signature is checked: a stranger costs no memory and no hashing (SR-05, RR-03). */

export interface AllowFrom {
  /** Addresses, networks (`192.0.2.0/24`), and `github` for GitHub's own. Everyone if missing. */
  readonly allowFrom?: readonly string[] | undefined;
  /** Each adds its sender to X-Forwarded-For. */
  readonly trustedProxies: number;
}

const lookMs = 60_000;
const freshMs = 3_600_000;

/**
 * Reads GitHub's addresses hourly; the last ones stay in force. Before the first answer GitHub's webhooks are refused, and fetched later.
 */
export function keepAllowList(
  settings: () => AllowFrom,
  { fetchGitHubs, log }: { readonly fetchGitHubs: () => Promise<readonly string[]>; readonly log: Logger },
): { readonly admits: (caller: Caller) => boolean; readonly stop: () => Promise<void> } {
  let githubs: readonly string[] = [];
  let heardAt = Number.NEGATIVE_INFINITY;
  let made: { readonly from: readonly unknown[]; readonly has: (address: string) => boolean } | undefined;
  const look = async (): Promise<void> => {
    if (!settings().allowFrom?.includes("github") || performance.now() - heardAt < freshMs) return;
    githubs = await fetchGitHubs();
    heardAt = performance.now();
  };
  const looking = every(lookMs, look, (error) => {
    const known = `${githubs.length} networks of GitHub are known`;
    log.warn({ module: "front", event: "allow_list_late", reason: messageOf(error), msg: known });
  });
  return {
    admits: (caller) => {
      const { allowFrom, trustedProxies } = settings();
      if (allowFrom === undefined) return true;
      if (made?.from[0] !== allowFrom || made.from[1] !== githubs) {
        const texts = allowFrom.flatMap((text) => (text === "github" ? githubs : [text]));
        made = { from: [allowFrom, githubs], has: createNetworks(texts) };
      }
      const address = addressOf(caller, trustedProxies);
      return address !== undefined && made.has(address);
    },
    stop: looking.stop,
  };
}

const firstBytes = 16 * 1024;

/** Reads a body under a cap, enforced while reading. "cut off" if the connection ends. */
export async function readBody(
  request: IncomingMessage,
  capBytes: number,
): Promise<Buffer | "body too large" | "cut off"> {
  if (Number(request.headers["content-length"] ?? 0) > capBytes) return "body too large";
  // A sender of single bytes would otherwise cost an object each. The old buffer is freed at once, not by the garbage collector.
  let kept = new ArrayBuffer(0);
  let bytes = 0;
  const resize = (size: number): void => {
    countBody(request, { received: 0, held: size - kept.byteLength });
    kept = kept.transfer(size);
  };
  const keep = (chunk: Buffer): void => {
    const needed = bytes + chunk.length;
    countBody(request, { received: chunk.length, held: 0 });
    if (request.destroyed) return;
    if (needed > kept.byteLength) resize(Math.max(needed, Math.min(2 * kept.byteLength, capBytes), firstBytes));
    chunk.copy(Buffer.from(kept), bytes);
    bytes = needed;
  };
  const ending = await new Promise<"whole" | "body too large" | "cut off">((resolve) => {
    request.on("data", (chunk: Buffer) => {
      if (bytes + chunk.length > capBytes) resolve("body too large");
      else if (!request.destroyed) keep(chunk);
    });
    request.on("end", () => resolve("whole"));
    request.on("error", () => resolve("cut off"));
    request.on("close", () => resolve("cut off"));
  });
  request.removeAllListeners("data");
  const body = ending === "whole" ? Buffer.from(kept, 0, bytes) : ending;
  if (ending === "whole") countBody(request, { received: 0, held: -kept.byteLength });
  else resize(0);
  return body;
}
