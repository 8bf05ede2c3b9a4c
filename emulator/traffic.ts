import type { EmulatedGitHub, RequestTraffic, Traffic, WebhookTraffic } from "./interface.ts";

export interface TrafficLog {
  readonly add: (traffic: Traffic) => void;
  readonly addInvalid: (reason: string) => void;
  readonly read: Pick<EmulatedGitHub, "onTraffic" | "requests" | "resetCounts" | "invalid" | "deliveries">;
}

/** What went over the wire, in order. */
export function createTraffic(): TrafficLog {
  const listeners = new Set<(traffic: Traffic) => void>();
  const invalid: string[] = [];
  const deliveries: WebhookTraffic[] = [];
  let requests: RequestTraffic[] = [];
  let resetAt = Number.NEGATIVE_INFINITY;
  return {
    add(traffic) {
      if (traffic.kind === "webhook") deliveries.push(traffic);
      // A request is told when it is answered: one that was under way at the reset belongs to what was before.
      else if (performance.now() - traffic.ms >= resetAt) requests.push(traffic);
      for (const listener of listeners) listener(traffic);
    },
    addInvalid: (reason) => void invalid.push(reason),
    read: {
      onTraffic(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      requests: () => requests,
      resetCounts: () => {
        requests = [];
        resetAt = performance.now();
      },
      invalid: () => invalid,
      deliveries: () => deliveries,
    },
  };
}
