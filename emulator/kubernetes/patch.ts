/** The ways in which kubectl writes a change: RFC 6902, RFC 7386, and Kubernetes' own, which knows lists of named things. */

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Applies a patch of the content type given. Throws an Error with what is wrong with it. Pure. */
export function applyPatch(contentType: string, object: Json, patch: Json): Json {
  if (contentType.startsWith("application/json-patch+json")) {
    if (!Array.isArray(patch)) throw new Error("a JSON patch is a list");
    return patch.reduce((whole: Json, step: Json) => applyStep(whole, step), object);
  }
  if (contentType.startsWith("application/merge-patch+json")) return merge(object, patch, false);
  if (contentType.startsWith("application/strategic-merge-patch+json")) return merge(object, patch, true);
  throw new Error(`a patch of type ${contentType} is not known here`);
}

function applyStep(whole: Json, step: Json): Json {
  const { op, path, value } = isObject(step) ? step : {};
  if (typeof path !== "string") throw new Error("a step of a JSON patch needs a path");
  const keys = path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (op === "test") {
    const found = keys.reduce(
      (here: Json, key) => (isObject(here) || Array.isArray(here) ? Reflect.get(here, key) : undefined),
      whole,
    );
    if (JSON.stringify(found) !== JSON.stringify(value)) throw new Error(`testing value ${path} failed`);
    return whole;
  }
  if (op !== "add" && op !== "replace" && op !== "remove")
    throw new Error(`the operation ${String(op)} is not known here`);
  return change(whole, keys, { op, value });
}

function change(
  here: Json,
  [key, ...rest]: readonly string[],
  step: { readonly op: string; readonly value: Json },
): Json {
  if (key === undefined) return step.value;
  if (Array.isArray(here)) {
    const index = key === "-" ? here.length : Number(key);
    if (!(index <= here.length)) throw new Error(`there is nothing at ${key}`);
    if (rest.length > 0) return here.with(index, change(here[index], rest, step));
    return here.toSpliced(index, step.op === "add" ? 0 : 1, ...(step.op === "remove" ? [] : [step.value]));
  }
  if (!isObject(here)) throw new Error(`there is nothing at ${key}`);
  if (step.op !== "add" && !Object.hasOwn(here, key)) throw new Error(`there is nothing at ${key}`);
  const { [key]: old, ...others } = here;
  if (rest.length === 0 && step.op === "remove") return others;
  return { ...here, [key]: change(old, rest, step) };
}

/** Null removes. `isStrategic`: lists of named things are joined by name, else a list takes the place of the old one. */
function merge(old: Json, patch: Json, isStrategic: boolean): Json {
  if (!isObject(patch)) return isStrategic && Array.isArray(patch) ? mergeLists(old, patch) : patch;
  const merged: Record<string, Json> = isObject(old) ? { ...old } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (isStrategic && key.startsWith("$")) continue;
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value, isStrategic);
  }
  return merged;
}

const nameOf = (item: Json): Json => (isObject(item) ? item.name : undefined);

function mergeLists(old: Json, patch: readonly Json[]): readonly Json[] {
  if (!Array.isArray(old) || !patch.every((item) => nameOf(item) !== undefined)) return patch;
  const gone = patch.filter((item) => isObject(item) && item.$patch === "delete").map(nameOf);
  const kept = old.filter((item) => !gone.includes(nameOf(item)));
  const joined = kept.map((item) => {
    const other = patch.find((one) => nameOf(one) === nameOf(item));
    return other === undefined ? item : merge(item, other, true);
  });
  const known = old.map(nameOf);
  return [...joined, ...patch.filter((item) => !known.includes(nameOf(item)) && !gone.includes(nameOf(item)))];
}
