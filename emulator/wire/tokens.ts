import { createPublicKey, generateKeyPairSync, randomBytes, verify } from "node:crypto";
import type { MintedToken } from "../interface.ts";
import { isObject } from "./shapes.ts";

export interface Tokens {
  /** Whether `jwt` is one of the App: RS256, its id as issuer, not expired, at most ten minutes long. */
  readonly isAppJwt: (jwt: string) => boolean;
  readonly mint: (grant: Pick<MintedToken, "asked" | "repositoryIds" | "permissions">) => MintedToken;
  /** The token while it is valid. */
  readonly find: (token: string) => MintedToken | undefined;
  readonly revokeAll: () => void;
  readonly minted: () => readonly MintedToken[];
}

const hourMs = 3_600_000;
const clockSkewSeconds = 60;

export const generatePrivateKey = (): string =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();

/** The App's two kinds of credentials. Installation tokens are as long as GitHub's new ones (about 520 characters). */
export function createTokens(app: { readonly id: number; readonly privateKey: string }): Tokens {
  const publicKey = createPublicKey(app.privateKey);
  const minted: MintedToken[] = [];
  const valid = new Map<string, MintedToken>();

  return {
    isAppJwt(jwt) {
      const [head = "", payload = "", signature = "", ...rest] = jwt.split(".");
      if (rest.length > 0 || decode(head)?.alg !== "RS256") return false;
      const signed = verify(
        "RSA-SHA256",
        Buffer.from(`${head}.${payload}`),
        publicKey,
        Buffer.from(signature, "base64url"),
      );
      const claims = decode(payload);
      const now = Date.now() / 1000;
      if (!signed || !claims || String(claims.iss) !== String(app.id)) return false;
      const { iat, exp } = claims;
      if (typeof iat !== "number" || typeof exp !== "number") return false;
      return iat <= now + clockSkewSeconds && exp > now && exp - now <= 600 + clockSkewSeconds;
    },
    mint(grant) {
      const token = `ghs_${app.id}_${randomBytes(384).toString("base64url")}`;
      const record = { token, ...grant, expiresAt: new Date(Date.now() + hourMs) };
      minted.push(record);
      valid.set(token, record);
      return record;
    },
    find(token) {
      const record = valid.get(token);
      return record && record.expiresAt.getTime() > Date.now() ? record : undefined;
    },
    revokeAll: () => valid.clear(),
    minted: () => minted,
  };
}

function decode(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON: not one of ours
  }
}
