import { OperatorError } from "../base/errors.ts";
import type { Ask } from "../features/operator/local.ts";
import { readPlaces } from "./check/places.ts";

/**
 * What `countersign keys` asks of the store: a link for a person's first passkey, by login and id since a login can pass to somebody
 * else; the list; or a revocation. Throws an `OperatorError` for what is typed wrong.
 */
export function keysAsk(
  { config }: { readonly config?: string | undefined },
  what: string,
  [first, second = ""]: readonly string[],
): Ask {
  if (what === "list") return { ask: "keys" };
  if (what === "revoke" && first !== undefined) return { ask: "keys", revoke: first };
  if (what !== "add" || first === undefined || !/^[1-9]\d{0,14}$/.test(second))
    throw wrong("write `keys add mona 123`, `keys list` or `keys revoke 1a2b3c4d5e6f`");
  const { publicUrl } = readPlaces(config);
  if (publicUrl === undefined) throw wrong("the file has no `server.public_url`, where the link would lead");
  return {
    ask: "keys",
    add: { id: Number(second), login: first.replace(/^@/, ""), origin: new URL(publicUrl).origin },
  };
}

const wrong = (message: string): OperatorError => new OperatorError({ place: "keys", message });
