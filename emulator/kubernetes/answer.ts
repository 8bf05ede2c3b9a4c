import { type ApiKind, apiKinds, discoveryAt, tableOf } from "./kinds.ts";
import { at, type KubeObject, type Pod, type Workload } from "./object.ts";
import { applyPatch } from "./patch.ts";
import { reviewOf } from "./review.ts";
import { type FateOf, fateIn, settleDeployment } from "./rollout.ts";
import { isSelected, type KubeChange, type KubeWorld } from "./world.ts";

export interface KubeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly user: string;
}

export type KubeAnswer =
  | { readonly kind: "json"; readonly status: number; readonly body: object; readonly isChange?: true }
  | { readonly kind: "text"; readonly text: string }
  /** Lines for as long as the client listens: what is there, then what changes. */
  | {
      readonly kind: "watch";
      readonly first: readonly object[];
      readonly lineOf: (change: KubeChange) => object | undefined;
    };

const ok = (body: object, status = 200): KubeAnswer => ({ kind: "json", status, body });

const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
};

/** A `Status`, as the API server refuses. */
export const refusal = (code: number, message: string): Extract<KubeAnswer, { kind: "json" }> => ({
  kind: "json",
  status: code,
  body: {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: reasons[code] ?? "Unknown",
    code,
  },
});

export interface KubeCluster {
  readonly world: KubeWorld;
  readonly fateOf: FateOf;
  /** Whether somebody may do something; whoever may nothing is still told who they are. */
  readonly may: (user: string, verb: string, resource: string) => boolean;
  /** What a SelfSubjectRulesReview answers in place of what follows from `may`. */
  readonly rules?: (() => object | undefined) | undefined;
}

/** Decides what is answered and makes the change, if it is one. Who asks is known by then. */
export function answerTo(cluster: KubeCluster, request: KubeRequest): KubeAnswer {
  const { method, path } = request;
  const discovered = method === "GET" ? discoveryAt(path) : undefined;
  if (discovered) return ok(discovered);
  if (/^\/(?:healthz|livez|readyz)$/.test(path)) return { kind: "text", text: "ok" };
  const review = method === "POST" ? reviewOf(cluster, request) : undefined;
  if (review) return ok(review, 201);
  const target = targetOf(path);
  if (!target) return refusal(404, "the server could not find the requested resource");
  const { verb, resource } = wantOf(request, target);
  if (!cluster.may(request.user, verb, resource)) {
    const where = target.namespace === undefined ? "at the cluster scope" : `in the namespace "${target.namespace}"`;
    const group = target.kind.apiVersion.split("/").length === 2 ? target.kind.apiVersion.split("/")[0] : "";
    return refusal(
      403,
      `${resource} is forbidden: User "${request.user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`,
    );
  }
  return target.name === undefined ? answerList(cluster, request, target) : answerOne(cluster, request, target);
}

interface Target {
  readonly kind: ApiKind;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly part: string | undefined;
}

function targetOf(path: string): Target | undefined {
  const [, apiVersion = "", rest = ""] = /^\/apis?\/(v1|[^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  const [, namespace, plural, name, part] =
    /^(?:namespaces\/([^/]+)\/)?([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(rest) ?? [];
  // `namespaces/shop` is a namespace itself.
  const kind = apiKinds.find((one) => one.apiVersion === apiVersion && one.plural === plural);
  return kind && { kind, namespace, name, part };
}

function wantOf({ method, query }: KubeRequest, { kind, name, part }: Target) {
  const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
  const reads = query.has("watch") ? "watch" : name === undefined ? "list" : "get";
  return { verb: verbs[method] ?? reads, resource: part === undefined ? kind.plural : `${kind.plural}/${part}` };
}

function answerList({ world }: KubeCluster, request: KubeRequest, { kind, namespace }: Target): KubeAnswer {
  const { method, query, accept } = request;
  if (method === "DELETE") return refusal(405, "whole collections are not deleted here");
  if (method === "POST") return refusal(405, "nothing new is made here");
  const isTable = accept.includes("as=Table");
  const chosen = world.list(kind, namespace).filter((one) => isSelected(one, query));
  const shown = (objects: readonly KubeObject[]) => tableOf(kind, objects, world.version());
  if (/^(?:1|true)$/.test(query.get("watch") ?? "")) {
    const isMeant = (one: KubeObject): boolean =>
      one.apiVersion === kind.apiVersion &&
      one.kind === kind.kind &&
      (namespace === undefined || one.metadata.namespace === namespace) &&
      isSelected(one, query);
    const lineOf = ({ type, object }: KubeChange) =>
      isMeant(object) ? { type, object: isTable ? shown([object]) : object } : undefined;
    const since = Number(query.get("resourceVersion") ?? 0);
    const newer = chosen.filter(({ metadata }) => Number(metadata.resourceVersion) > since);
    return { kind: "watch", first: newer.map((object) => lineOf({ type: "ADDED", object }) ?? {}), lineOf };
  }
  if (isTable) return ok(shown(chosen));
  const metadata = { resourceVersion: world.version() };
  return ok({ kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items: chosen });
}

function answerOne(
  cluster: KubeCluster,
  request: KubeRequest,
  { kind, namespace, name = "", part }: Target,
): KubeAnswer {
  const { world, fateOf } = cluster;
  const object = world.get(kind, namespace, name);
  const group = kind.apiVersion.includes("/") ? `.${kind.apiVersion.split("/")[0]}` : "";
  if (!object) return refusal(404, `${kind.plural}${group} "${name}" not found`);
  if (part === "log") {
    const { log } = fateIn(fateOf, (object as Pod).spec);
    const tail = Number(request.query.get("tailLines") ?? -1);
    const lines = log.split("\n");
    return { kind: "text", text: `${(tail < 0 ? lines : lines.slice(-tail)).join("\n")}\n` };
  }
  if (part !== undefined && part !== "scale") return refusal(404, `${kind.plural}/${part} is not served`);
  const now = part === "scale" ? scaleOf(object) : object;
  if (request.method === "GET")
    return ok(request.accept.includes("as=Table") ? tableOf(kind, [object], world.version()) : now);
  const options: unknown =
    request.method === "DELETE" && request.body.length > 0 ? JSON.parse(request.body.toString("utf8")) : {};
  const isDry = (request.query.get("dryRun") ?? at(options, "dryRun.0")) === "All";
  if (request.method === "DELETE") {
    if (!isDry) world.remove(object);
    return {
      kind: "json",
      status: 200,
      body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
      ...(isDry ? {} : { isChange: true }),
    };
  }
  return change(cluster, request, { now, object, part, isDry, title: `${kind.plural}${group} "${name}"` });
}

interface Changing {
  readonly now: KubeObject;
  readonly object: KubeObject;
  readonly part: string | undefined;
  readonly isDry: boolean;
  readonly title: string;
}

function change(
  { world, fateOf }: KubeCluster,
  request: KubeRequest,
  { now, object, part, isDry, title }: Changing,
): KubeAnswer {
  let wanted: KubeObject;
  try {
    const given: unknown = JSON.parse(request.body.toString("utf8"));
    wanted = (request.method === "PUT" ? given : applyPatch(request.contentType, now, given)) as KubeObject;
  } catch (error) {
    return refusal(422, `${title} is invalid: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { resourceVersion } = wanted.metadata;
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
    return refusal(
      409,
      `Operation cannot be fulfilled on ${title}: the object has been modified; please apply your changes to the latest version and try again`,
    );
  const replicas = at(wanted, "spec.replicas");
  if (typeof replicas === "number" && replicas < 0)
    return refusal(
      422,
      `${title} is invalid: spec.replicas: Invalid value: ${replicas}: must be greater than or equal to 0`,
    );
  const whole = part === "scale" ? { ...object, spec: { ...(object.spec as object), replicas } } : wanted;
  const settled = whole.kind === "Deployment" && !isDry ? settleDeployment(world, whole as Workload, fateOf) : whole;
  const kept = isDry ? settled : world.put(settled);
  const body = part === "scale" ? scaleOf(kept) : kept;
  return { kind: "json", status: 200, body, ...(isDry ? {} : { isChange: true }) };
}

function scaleOf(object: KubeObject): KubeObject {
  const replicas = Number(at(object, "spec.replicas") ?? 0);
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const metadata = Object.fromEntries(
    Object.entries({ name, namespace, uid, resourceVersion }).filter(([, value]) => value !== undefined),
  );
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { ...metadata, name },
    spec: { replicas },
    status: { replicas },
  };
}
