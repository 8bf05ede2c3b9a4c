import { OperatorError } from "../base/errors.ts";
import type { Ask } from "../features/operator/local.ts";
import { readPlaces } from "./places.ts";

/**
 * Builds the request for a first passkey's link, the list, or a revocation. A link needs login and id, because a login can change hands.
 * Throws an `OperatorError` for wrong arguments.
 */
export function keysAsk(
  { config }: { readonly config?: string | undefined },
  what: string,
  [first, second = ""]: readonly string[],
): Ask {
  if (what === "list") return { ask: "keys" };
  if (what === "revoke" && first !== undefined) return { ask: "keys", revoke: first };
  if (what === "revoke") throw wrong("it takes the fingerprint of a key", "`keys list` shows them");
  if (what !== "add") throw wrong(`there is no \`keys ${what}\``, "write `keys add`, `keys list` or `keys revoke`");
  const usage = "write `keys add mona 1234567`; `gh api users/mona --jq .id` prints the id";
  if (first === undefined) throw wrong("it takes a login and a GitHub id", usage);
  if (!/^[1-9]\d{0,14}$/.test(second)) throw wrong(`\`${second}\` is not the GitHub id of ${first}`, usage);
  const { publicUrl } = readPlaces(config);
  if (publicUrl === undefined)
    throw wrong(
      "the config has no `server.public_url`, where the link would lead",
      "write it: https://bot.example.com",
    );
  return {
    ask: "keys",
    add: { id: Number(second), login: first.replace(/^@/, ""), origin: new URL(publicUrl).origin },
  };
}

const wrong = (message: string, remedy: string): OperatorError => new OperatorError({ place: "keys", message, remedy });
