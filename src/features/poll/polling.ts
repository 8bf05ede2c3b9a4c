import type { PollSource } from "../../github/poll.ts";
import type { Inbox } from "../../store/queue/inbox.ts";
import type { Deps } from "../context.ts";
import type { PollPace } from "./pace.ts";

/** What reading GitHub needs: the doors, and the inbox into which everything goes. */
export interface Polling {
  readonly deps: Pick<Deps, "config" | "store" | "log" | "now" | "issues">;
  readonly source: PollSource;
  readonly receive: Inbox["receive"];
  /** Webhooks come, too: what they tell is left to them. */
  readonly alsoWebhooks: boolean;
  readonly pace: PollPace;
}
