import { isNode, type Node, type Source } from "./source-tree.ts";

/** What a type may be called: a noun, with one meaning in the tree. */

/** Words that end as a participle does, and are nouns. */
const nouns = new Set(
  (
    "Beginning Drawing Encoding Ending Finding Heading Listing Meaning Opening Reading Rendering Setting Spending Standing String Tampering " +
    "Thing Timing Warning Widening Wording Feed Need Seed Speed Pen Token Table Variable"
  ).split(" "),
);

/** Participles that are formed irregularly, and what else is no noun: adjectives, adverbs, pronouns, prepositions, forms of verbs. */
const notNouns = new Set(
  (
    "Begun Bought Brought Done Found Gone Heard Held Kept Known Lost Made Met Paid Put Ran Read Said Sent Set Shown Spent Thrown Told " +
    "Took Unsaid Unsent Overspent Went " +
    "Alike Builtin Common Due Exact Last Late Low New Next Old Own Past Raw Ready Rest Right Similar Special Unfit Volatile Wireless Wrong " +
    "About Again Ago Already At Behind Beside Earlier Outside Over Since Then To Under " +
    "Some Such What When Where Which Who Why " +
    "Go Be Is May"
  ).split(" "),
);
/** These words are nouns as well, so they are forbidden only at the end of a longer name or not at all. */
const alsoNouns = new Set(["Read", "Right", "Set", "Past"]);

/** The last word of a name says what it is: `UnsettledRun` is a run. */
const headOf = (name: string): string => /[A-Z][a-z\d]*$/.exec(name)?.[0] ?? name;

function isNoNoun(name: string): boolean {
  const head = headOf(name);
  if (nouns.has(head) || (alsoNouns.has(head) && head !== name)) return false;
  if (notNouns.has(head)) return !alsoNouns.has(head);
  // A gerund behind another word is a noun: `JobStopping`.
  return /(ed|en)$/.test(head) || /(able|ible)$/.test(head) || (head === name && /ing$/.test(head));
}

const nameOf = ({ type, id }: Node): string | undefined =>
  ["TSTypeAliasDeclaration", "TSInterfaceDeclaration"].includes(type) && isNode(id) ? String(id.name) : undefined;

const typesIn = ({ nodes }: Source): readonly string[] => nodes.flatMap((node) => nameOf(node) ?? []);

export const participles = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) =>
    typesIn(source)
      .filter(isNoNoun)
      .map((name) => `${source.path} has the type ${name}`),
  );

/** Types that three files or more declare, each as its own. */
export function manyMeanings(sources: readonly Source[]): readonly string[] {
  const declared = sources.flatMap((source) =>
    [...new Set(typesIn(source))].map((name) => ({ name, path: source.path })),
  );
  return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, places]) =>
    places.length > 2 ? places.map(({ path }) => `${path} has one of ${places.length} types ${name}`) : [],
  );
}

const family = "SR|RR|PK|F|AR|DC|OP|PA|INJ|OFF|WF|CFG|POLICY|AL|PB|CH|OC|AG";
const code = new RegExp(`\\b(?:(?:${family})-\\d+|S1[345](?:\\.\\d+)?)\\b(?!\\.\\w)`, "g");

/** What a file says in comments: the rest is blank, so that a text with `//` in it is none. */
function commentsIn({ text, nodes }: Source): string {
  const signs = text.split("");
  for (const { type, start, end } of nodes)
    if (type === "Literal" || type === "TemplateElement") signs.fill(" ", Number(start), Number(end));
  return (signs.join("").match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? []).join("\n");
}

/** Requirements that a file's comments name again. */
export const repeatedCodes = (sources: readonly Source[]): readonly string[] =>
  sources.flatMap((source) => {
    const seen = new Set<string>();
    return (commentsIn(source).match(code) ?? []).flatMap((found) => {
      const isAgain = seen.has(found);
      seen.add(found);
      return isAgain ? [`${source.path} names once more ${found}`] : [];
    });
  });
