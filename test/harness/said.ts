import { isNode, type Node, type Source } from "../architecture/source-tree.ts";

/** A text of ours as it stands in the source, its gaps named by what fills them: `**{number}** has expired.` */
export interface Said {
  /** `commands/approve` */
  readonly from: string;
  readonly text: string;
  /** It answers a mistake of somebody's. */
  readonly isRefusal: boolean;
}

/** Where texts for people stand: the stories, what draws the comments, and the pure subjects whose reasons are shown. */
const places = [
  /^src\/commands\//,
  /^src\/features\//,
  /^src\/slash\/verbs\.ts$/,
  /^src\/github\/render\//,
  /^src\/approval\/(authorize|need|preflight|rights|lease)\.ts$/,
  /^src\/risk\/admit\.ts$/,
  /^src\/runbooks\/(offline|next-step|purpose|target)\.ts$/,
];
/** What the model reads (templates/prompt and these), and what the operator reads at the command line. */
const others = /^src\/features\/(turn\/(conversation|turn-message|prompt)|operator\/(local|readiness))\.ts$/;

/** Three words are said to somebody; fewer are a name or a mark, and `a.b as c` is a column. */
const isProse = (text: string): boolean =>
  !/^[\w.]+ as \w+$/.test(text) && text.split(/\s+/).filter((word) => /^[`*(]*[A-Za-z']{2,}/.test(word)).length > 2;

/** A place that no file stands in is one that was moved and not moved here. */
export const emptyPlaces = (sources: readonly Source[]): readonly RegExp[] =>
  places.filter((place) => !sources.some(({ path }) => place.test(path)));

/** Every text that the bot says to people in words of its own, in the order of the source. */
export function saidIn(sources: readonly Source[]): readonly Said[] {
  return sources
    .filter(({ path }) => places.some((place) => place.test(path)) && !others.test(path))
    .flatMap((source) => [...textsOf(source)]);
}

function* textsOf({ path, text: code, nodes }: Source): Generator<Said> {
  const unsaid = spansOf(nodes, isUnsaid);
  const refusals = spansOf(nodes, isRefusal);
  for (const node of nodes) {
    const text = textOf(node, code);
    if (text === undefined || !isProse(text) || isWithin(node, unsaid)) continue;
    const refusal = refusals.findLast((span) => isWithin(node, [span]));
    // What fills a gap of a refusal, or is handed on in it, is a part of one.
    const isPart = nodes.some(
      (other) =>
        other !== node &&
        (other.type === "TemplateLiteral" || other.type === "ObjectExpression") &&
        isWithin(other, refusal ? [refusal] : []) &&
        isWithin(node, [[Number(other.start), Number(other.end)]]),
    );
    yield { from: path.slice("src/".length, -".ts".length), text, isRefusal: refusal !== undefined && !isPart };
  }
}

function textOf(node: Node, code: string): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  const [quasis, expressions] = [listOf(node.quasis), listOf(node.expressions)];
  return quasis
    .map(({ value }, index) => {
      const cooked = typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : "";
      const gap = expressions[index];
      return gap ? `${cooked}{${nameOf(code.slice(Number(gap.start), Number(gap.end)))}}` : cooked;
    })
    .join("");
}

/** What fills a gap, in a word: the last name of the expression that is not called. */
function nameOf(expression: string): string {
  const names = expression.replace(/(["'`]).*?\1/gs, "").match(/[A-Za-z_]\w*\b(?!\s*\()/g) ?? [];
  return names.findLast((name) => !["undefined", "null", "en"].includes(name)) ?? "…";
}

type Span = readonly [start: number, end: number];
const spansOf = (nodes: readonly Node[], fits: (node: Node) => boolean): readonly Span[] =>
  nodes.filter(fits).map(({ start, end }) => [Number(start), Number(end)]);
const isWithin = ({ start, end }: Node, spans: readonly Span[]): boolean =>
  spans.some(([from, to]) => from <= Number(start) && Number(end) <= to);

/** Errors and log lines are for the operator; a pattern, a path or an example is nobody's prose. */
const isUnsaid = (node: Node): boolean =>
  ["NewExpression", "ThrowStatement", "ImportDeclaration", "TSLiteralType"].includes(node.type) ||
  (node.type === "CallExpression" && /^(log|logger|sql|loadTemplate)$/.test(calleeOf(node))) ||
  (node.type === "Property" && keyOf(node) === "examples") ||
  node.type === "TaggedTemplateExpression";

const isRefusal = (node: Node): boolean =>
  (node.type === "CallExpression" && calleeOf(node) === "mistake") ||
  (node.type === "Property" && keyOf(node) === "mistake");

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return "";
  if (callee.type === "Identifier") return String(callee.name);
  const object = isNode(callee.object) ? callee.object : undefined;
  if (object?.type === "MemberExpression" && isNode(object.property)) return String(object.property.name);
  return object?.type === "Identifier" ? String(object.name) : "";
}

const keyOf = ({ key }: Node): string => (isNode(key) && key.type === "Identifier" ? String(key.name) : "");
const listOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);
