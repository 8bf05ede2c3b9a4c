import { randomUUID } from "node:crypto";
import { type ApiKind, apiKinds } from "./kinds.ts";
import { at, type KubeObject } from "./object.ts";

export interface KubeChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

/** The objects of a cluster. */
export interface KubeWorld {
  readonly list: (kind: ApiKind, namespace?: string) => readonly KubeObject[];
  readonly get: (kind: ApiKind, namespace: string | undefined, name: string) => KubeObject | undefined;
  /** Keeps an object, with a new resourceVersion, and returns it as it is kept. */
  readonly put: (object: KubeObject) => KubeObject;
  readonly remove: (object: KubeObject) => void;
  readonly version: () => string;
  readonly onChange: (listener: (change: KubeChange) => void) => () => void;
}

const keyOf = (apiVersion: string, kind: string, namespace: string | undefined, name: string): string =>
  [apiVersion, kind, namespace ?? "", name].join(" ");
const keyOfObject = ({ apiVersion, kind, metadata }: KubeObject): string =>
  keyOf(apiVersion, kind, metadata.namespace, metadata.name);

export function createKubeWorld(): KubeWorld {
  const objects = new Map<string, KubeObject>();
  const listeners = new Set<(change: KubeChange) => void>();
  let version = 1_000;
  const emit = (change: KubeChange): void => {
    for (const listener of listeners) listener(change);
  };
  return {
    list: ({ apiVersion, kind }, namespace) =>
      [...objects.values()].filter(
        (one) =>
          one.apiVersion === apiVersion &&
          one.kind === kind &&
          (namespace === undefined || one.metadata.namespace === namespace),
      ),
    get: ({ apiVersion, kind }, namespace, name) => objects.get(keyOf(apiVersion, kind, namespace, name)),
    put: (object) => {
      const key = keyOfObject(object);
      const old = objects.get(key);
      const isChanged = JSON.stringify(at(old, "spec")) !== JSON.stringify(object.spec);
      const kept: KubeObject = {
        ...object,
        metadata: {
          creationTimestamp: `${new Date().toISOString().slice(0, 19)}Z`,
          uid: randomUUID(),
          ...object.metadata,
          resourceVersion: String(++version),
          ...(object.spec === undefined ? {} : { generation: (old?.metadata.generation ?? 0) + (isChanged ? 1 : 0) }),
        },
      };
      objects.set(key, kept);
      emit({ type: old ? "MODIFIED" : "ADDED", object: kept });
      return kept;
    },
    remove: (object) => {
      if (objects.delete(keyOfObject(object))) emit({ type: "DELETED", object });
    },
    version: () => String(version),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The kind of this name; throws, since only what the emulator itself names is asked for. */
export function kindNamed(kind: string): ApiKind {
  const found = apiKinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`no kind ${kind}`);
  return found;
}

/** Whether an object is one of `labelSelector` and `fieldSelector`: `a=b`, `a!=b`, `a`, `!a`, joined by commas. Pure. */
export function isSelected(object: KubeObject, query: URLSearchParams): boolean {
  const { labels = {} } = object.metadata;
  return (
    terms(query.get("labelSelector")).every((term) => holds(term, (key) => labels[key])) &&
    terms(query.get("fieldSelector")).every((term) => holds(term, (key) => String(at(object, key) ?? "")))
  );
}

const terms = (selector: string | null): readonly string[] => (selector ?? "").split(",").filter((term) => term !== "");

function holds(term: string, read: (key: string) => string | undefined): boolean {
  const [, key = "", sign = "", value = ""] = /^([^=!]+)(!=|==?)(.*)$/.exec(term) ?? [];
  if (sign === "") return term.startsWith("!") ? read(term.slice(1)) === undefined : read(term) !== undefined;
  return (read(key) === value) === (sign !== "!=");
}
