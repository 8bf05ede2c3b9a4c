import { alertSourceOf, parseAlert } from "../alert/sources.ts";
import type { Deps } from "../features/context.ts";
import { createAlertDoor } from "../http/alerts.ts";
import { alertArrival } from "../store/queue/alert-arrival.ts";
import type { Inbox } from "../store/queue/inbox.ts";

/** How the log calls what the door says of a message. */
const alertEvents = {
  accepted: "alert_accepted",
  refused: "alert_refused",
  "not-stored": "alert_not-stored",
} as const;

/** The door for alerts, by the sources of the config in force. */
export const openAlertDoor = (deps: Deps, receive: Inbox["receive"]): ReturnType<typeof createAlertDoor> => {
  const sourceOf = (name: string) => {
    const { sources } = deps.config.alerts;
    return Object.hasOwn(sources, name) ? sources[name] : undefined;
  };
  return createAlertDoor({
    source: (name) => {
      const source = sourceOf(name);
      return source && { ...source, signature: alertSourceOf(source.kind).signature };
    },
    read: (name, text) => {
      const parsed = parseAlert(sourceOf(name)?.kind ?? "json", text);
      return parsed.kind === "alert" ? { kind: "arrival", arrival: alertArrival(name, parsed.alert) } : parsed;
    },
    receive,
    now: deps.now,
    log: ({ kind, ...event }) =>
      deps.log[kind === "accepted" ? "info" : "warn"]({ module: "front", ...event, event: alertEvents[kind] }),
  });
};
