import { describe, expect, it, test } from "vitest";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { endingOfPlan, maxErrorCharacters } from "../../src/kubernetes/settle.ts";
import { findProbe } from "../../src/risk/probe.ts";

const failed = { code: 1, signal: null };
const ending = (effect: "reads" | "changes", errors: string, given: Partial<Parameters<typeof endingOfPlan>[0]> = {}) =>
  endingOfPlan({ effect, settledBy: "kubectl get pod x", exit: failed, errors, hasReported: false, ...given });

describe("how a command of a cluster has ended", () => {
  it.each([
    "",
    "Unable to connect to the server: EOF",
    "Unable to connect to the server: net/http: request canceled (Client.Timeout exceeded while awaiting headers)",
    "The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?",
    "Error from server (Timeout): the server was unable to return a response in the time allotted",
    "Error from server (InternalError): an error on the server has prevented the request from succeeding",
    "Error from server (ServiceUnavailable): the server is currently unable to handle the request",
    "Error from server: etcdserver: request timed out",
    "error: timed out waiting for the condition on pods/x",
    "error: http2: client connection lost",
    "error: failed to patch: Patch https://10.0.0.1: read: connection reset by peer",
    'Error from server (NotFound): pods "a" not found\nUnable to connect to the server: EOF',
    "a word that nobody knows",
    "error: failed restoring revision 0: an error on the server has prevented the request from succeeding",
  ])("RR-06 a change is UNKNOWN after %j, and a read is not", (errors) => {
    expect(ending("changes", errors)).toEqual({
      kind: "unknown",
      reason:
        "The API server's answer was lost, so it is not known whether the change was made. `kubectl get pod x` shows it.",
    });
    expect(ending("reads", errors)).toEqual({ kind: "exited", code: 1 });
  });

  it.each([
    'Error from server (Forbidden): pods "x" is forbidden: User "bot" cannot delete resource "pods"',
    'Error from server (NotFound): pods "x" not found',
    "Error from server (TooManyRequests): Cannot evict pod as it would violate the pod's disruption budget.",
    'Warning: deprecated\nError from server (Conflict): Operation cannot be fulfilled on pods "x"',
    'error: failed to patch image update to pod template: Operation cannot be fulfilled on deployments.apps "web": the object has been modified',
    "error: failed restoring revision 0: The server has received too many requests and has asked us to try again later",
    'error: deployments.apps "web" is already paused',
    'error: deployments.apps "web" is not paused',
    'error: deployments.apps "web" can\'t restart paused deployment (run rollout resume first)',
    "error: you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
    "error: unable to find specified revision 7 in history",
    "error: if restart has already been triggered within the past second, please wait before attempting to trigger another",
    'The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    "error: unknown flag: --no\nSee 'kubectl scale --help' for usage.",
    "Error: unknown flag: --no\nSee 'kubectl scale --help' for usage.",
    'error: Invalid dry-run value (maybe). Must be "none", "server", or "client".',
    'error: the server doesn\'t have a resource type "things"',
  ])("a change that was refused has made none: %j", (errors) => {
    expect(ending("changes", errors)).toEqual({ kind: "exited", code: 1 });
  });

  it("RR-06 a refusal behind a report is of a part alone: the change is UNKNOWN", () => {
    const errors = 'Error from server (NotFound): pods "b" not found';
    expect(ending("changes", errors, { hasReported: true })).toEqual({
      kind: "unknown",
      reason:
        "kubectl reported a part of it and then an error, so it is not known whether the change was made. `kubectl get pod x` shows it.",
    });
    expect(ending("reads", errors, { hasReported: true })).toEqual({ kind: "exited", code: 1 });
  });

  it("RR-06 of more errors than are read nobody knows the first: the change is UNKNOWN", () => {
    const errors = `Unable to connect to the server: EOF\n${'Error from server (NotFound): pods "b" not found\n'.repeat(400)}`;
    expect(ending("changes", errors.slice(-maxErrorCharacters))).toMatchObject({ kind: "unknown" });
    expect(ending("reads", errors.slice(-maxErrorCharacters))).toEqual({ kind: "exited", code: 1 });
  });

  it("SR-54 a read whose filter was stopped has ended as it was stopped, though kubectl itself had ended well", () => {
    const stop = { kind: "timed-out", afterMs: 5 } as const;
    const given = { stop, exit: { code: 0, signal: null }, filtered: { code: null, signal: "SIGTERM" } };
    expect(ending("reads", "", given)).toEqual({ ...stop, note: "stopped" });
    expect(ending("reads", "", { ...given, exit: { code: null, signal: "SIGPIPE" } })).toEqual({
      ...stop,
      note: "stopped",
    });
  });

  it("what was stopped after it had ended well has ended well", () => {
    const stop = { kind: "cancelled", by: "lee" } as const;
    expect(ending("changes", "", { stop, exit: { code: 0, signal: null } })).toEqual({ kind: "exited", code: 0 });
    expect(ending("changes", "", { stop })).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("`@lee` cancelled"),
    });
    expect(ending("reads", "", { stop })).toEqual({ kind: "cancelled", by: "lee", note: "stopped" });
  });

  it("a kubectl that something else has killed leaves a change unknown, and a read with its signal", () => {
    const exit = { code: null, signal: "SIGKILL" };
    expect(ending("changes", "", { exit })).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining("ended by SIGKILL"),
    });
    expect(ending("reads", "", { exit })).toEqual({ kind: "signalled", signal: "SIGKILL" });
  });

  it("a filter that has read enough is no failure of kubectl's", () => {
    const exit = { code: null, signal: "SIGPIPE" };
    expect(ending("reads", "", { exit, filtered: { code: 0, signal: null } })).toEqual({ kind: "exited", code: 0 });
  });
});

test.each([
  "kubectl -n shop scale deployment/cart --replicas=3",
  "kubectl -n shop rollout restart deployment/cart",
  "kubectl -n shop rollout undo deployment/cart",
  "kubectl -n shop delete pod cart-7f9",
  "kubectl -n shop set image deployment/cart cart=cart:2.4",
])("RR-06 a probe that fails changed nothing, and never says that this is not known: %s", (change) => {
  const found = findProbe(change);
  const parsed = found.kind === "probe" ? parseKubectl(found.command, ["shop", "default"]) : undefined;
  if (!parsed?.ok) throw new Error(`${change} has no probe: ${JSON.stringify([found, parsed])}`);
  const errors = "Unable to connect to the server";
  for (const exit of [failed, { code: null, signal: "SIGKILL" }])
    for (const hasReported of [true, false])
      for (const stop of [undefined, { kind: "cancelled", by: "lee" } as const])
        expect(endingOfPlan({ ...parsed.plan, exit, errors, hasReported, stop }).kind).not.toBe("unknown");
});
