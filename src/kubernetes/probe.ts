import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf, type Refusal } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Server } from "../base/server.ts";
import type { KubernetesMeans } from "./means.ts";
import { askKubectl, preparePlace, timeoutOf } from "./place.ts";
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
  | Refusal;

/** Finds kubectl, the bot's identity, and its rights in each listed namespace. Never throws. */
export async function probeCluster(means: KubernetesMeans, server: Server): Promise<ClusterProbe> {
  const place = await preparePlace(means, server, { signal: AbortSignal.timeout(means.limits.requestMs) });
  if (!place.ok) return place;
  // The rights in one namespace stand for all.
  const namespaces = new Set(server.cluster?.namespaces.map((listed) => (listed === "*" ? "default" : listed)));
  const rights = await Promise.all(
    // As `kubectl auth can-i --list`, in JSON.
    [...namespaces].map(async (namespace): Promise<NamespaceRights> => {
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
      const file = join(place.surroundings.cwd, `rules-${namespace}.json`);
      try {
        writeFileSync(file, JSON.stringify(review));
      } catch (thrown) {
        return { ok: false, namespace, why: messageOf(thrown) };
      }
      const path = "--raw=/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
      const words = [...place.flags, `--request-timeout=${timeoutOf(means)}`, "create", path, `--filename=${file}`];
      const signal = AbortSignal.timeout(means.limits.requestMs);
      const asked = await askKubectl(place.kubectl, words, { ...place.surroundings, signal, means });
      if (!asked.ok) return { ok: false, namespace, why: asked.why };
      const { data } = reviewAnswer.safeParse(parseJson(asked.text));
      if (data === undefined) return { ok: false, namespace, why: "its answer cannot be read" };
      return { ok: true, namespace, rules: data.status.resourceRules, isWhole: data.status.incomplete !== true };
    }),
  );
  place.leave();
  return { ok: true, version: place.version, identity: place.identity, rights };
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
