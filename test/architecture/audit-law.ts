import { auditKinds } from "../../src/store/audit/events.ts";
import { isNode, type Node, type Source } from "./source-tree.ts";

/** What appends to the audit, and the one folder that may pass on what it was given. */
const appends = ["appendAudit", "appendDenial"];
const folder = "src/store/audit/";

/** Holds what src appends to the audit against its closed list of kinds: nothing beside it, and nothing on it that nobody writes. */
export function auditBreaches(sources: readonly Source[]): readonly string[] {
  const entries = sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path, nodes }) => nodes.filter(isAppend).map((call) => ({ path, kinds: kindsIn(call) })));
  const written = new Set(entries.flatMap(({ kinds }) => kinds ?? []));
  return [
    ...entries.flatMap(({ path, kinds }) =>
      kinds === undefined && !path.startsWith(folder) ? [`${path} appends a kind that it does not name`] : [],
    ),
    ...entries.flatMap(({ path, kinds = [] }) =>
      kinds.filter((kind) => !Object.hasOwn(auditKinds, kind)).map((kind) => `${path} appends ${kind}`),
    ),
    ...Object.keys(auditKinds).flatMap((kind) =>
      written.has(kind) ? [] : [`${folder} knows ${kind}, which nobody writes`],
    ),
  ];
}

const isAppend = ({ type, callee }: Node): boolean =>
  type === "CallExpression" && isNode(callee) && appends.includes(String(callee.name));

/** The kinds that an entry names in plain words; undefined where it names none. */
function kindsIn({ arguments: given }: Node): readonly string[] | undefined {
  const entry: unknown = Array.isArray(given) ? given[1] : undefined;
  const properties = isNode(entry) && Array.isArray(entry.properties) ? entry.properties.filter(isNode) : [];
  const kind = properties.find(({ key }) => isNode(key) && key.name === "kind")?.value;
  return isNode(kind) ? namedIn(kind) : undefined;
}

function namedIn({ type, value, consequent, alternate }: Node): readonly string[] | undefined {
  if (type === "Literal" && typeof value === "string") return [value];
  if (type !== "ConditionalExpression" || !isNode(consequent) || !isNode(alternate)) return undefined;
  const [one, other] = [namedIn(consequent), namedIn(alternate)];
  return one && other ? [...one, ...other] : undefined;
}
