import type { FaultEffect, FaultMatch } from "./interface.ts";

export interface Faults {
  readonly add: (match: FaultMatch, effect: FaultEffect) => void;
  readonly clear: () => void;
  /** The oldest fault that fits, used up by this call. */
  readonly forRequest: (method: string, path: string, body: string) => FaultEffect | undefined;
  readonly forWebhook: (event: string, action: string | null) => FaultEffect | undefined;
}

/** A list of faults, each of which strikes `times` times. */
export function createFaults(): Faults {
  let faults: { match: FaultMatch; effect: FaultEffect; left: number }[] = [];
  const take = (fits: (match: FaultMatch) => boolean): FaultEffect | undefined => {
    const fault = faults.find((f) => fits(f.match));
    if (!fault) return undefined;
    fault.left -= 1;
    if (fault.left <= 0) faults = faults.filter((f) => f !== fault);
    return fault.effect;
  };
  return {
    add: (match, effect) => void faults.push({ match, effect, left: match.times ?? 1 }),
    clear: () => {
      faults = [];
    },
    forRequest: (method, path, body) =>
      take(
        (m) =>
          m.event === undefined &&
          (m.method ?? method) === method &&
          (m.path?.test(path) ?? true) &&
          (m.body?.test(body) ?? true),
      ),
    forWebhook: (event, action) =>
      take((m) => m.event !== undefined && (m.event === event || m.event === `${event}.${action}`)),
  };
}
