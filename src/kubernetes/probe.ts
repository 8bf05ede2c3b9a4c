import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Server } from "../base/server.ts";
import type { KubernetesMeans } from "./means.ts";
import { askKubectl, type ClusterPlace, preparePlace, timeoutOf } from "./place.ts";
import type { ListedRule } from "./rights.ts";

export type NamespaceRights = { readonly namespace: string } & (
  | {
      readonly ok: true;
      readonly rules: readonly ListedRule[];
      /** False if an authorizer that cannot list its rules may allow more. */
      readonly isWhole: boolean;
    }
  | { readonly ok: false; readonly why: string }
);

export type ClusterProbe =
  | {
      readonly ok: true;
      readonly version: string;
      readonly identity: string;
      readonly rights: readonly NamespaceRights[];
    }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** The rights in this one stand for all. */
const anyOf = (namespace: string): string => (namespace === "*" ? "default" : namespace);

/** Finds kubectl, the bot's identity, and its rights in each listed namespace. Never throws. */
export async function probeCluster(means: KubernetesMeans, server: Server): Promise<ClusterProbe> {
  const place = await preparePlace(means, server, { signal: AbortSignal.timeout(means.limits.requestMs) });
  if (!place.ok) return place;
  const namespaces = [...new Set(server.cluster?.namespaces.map(anyOf))];
  const rights = await Promise.all(namespaces.map((namespace) => askRights(means, place, namespace)));
  place.leave();
  return { ok: true, version: place.version, identity: place.identity, rights };
}

/** As `kubectl auth can-i --list`, in JSON. */
async function askRights(
  means: KubernetesMeans,
  { kubectl, flags, surroundings }: Extract<ClusterPlace, { ok: true }>,
  namespace: string,
): Promise<NamespaceRights> {
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  const file = join(surroundings.cwd, `rules-${namespace}.json`);
  try {
    writeFileSync(file, JSON.stringify(review));
  } catch (thrown) {
    return { ok: false, namespace, why: messageOf(thrown) };
  }
  const path = "--raw=/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const words = [...flags, `--request-timeout=${timeoutOf(means)}`, "create", path, `--filename=${file}`];
  const signal = AbortSignal.timeout(means.limits.requestMs);
  const asked = await askKubectl(kubectl, words, { ...surroundings, signal, means });
  if (!asked.ok) return { ok: false, namespace, why: asked.why };
  const { data } = reviewAnswer.safeParse(parseJson(asked.text));
  if (data === undefined) return { ok: false, namespace, why: "its answer cannot be read" };
  return { ok: true, namespace, rules: data.status.resourceRules, isWhole: data.status.incomplete !== true };
}

const names = z.array(z.string());
const reviewAnswer = z.object({
  status: z.object({
    resourceRules: z.array(
      z.object({
        verbs: names,
        apiGroups: names.optional(),
        resources: names.optional(),
        resourceNames: names.optional(),
      }),
    ),
    incomplete: z.boolean().optional(),
  }),
});
