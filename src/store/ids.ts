import { randomBytes, randomInt } from "node:crypto";

let lastMs = 0;
let counter = 0;

/**
 * UUID version 7 (RFC 9562), greater than all that this process made before, even if the clock steps back: jobs of one transaction keep
 * their order.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = randomInt(0, 256);
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** 128 random bits in hex. */
export const newNonce = (): string => randomBytes(16).toString("hex");
