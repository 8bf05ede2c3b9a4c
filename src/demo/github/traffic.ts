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
  return {
    add(traffic) {
      if (traffic.kind === "request") requests.push(traffic);
      else deliveries.push(traffic);
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
      },
      invalid: () => invalid,
      deliveries: () => deliveries,
    },
  };
}
