import * as z from "zod";
import chinese from "./vocabulary/chinese.json" with { type: "json" };
import dutch from "./vocabulary/dutch.json" with { type: "json" };
import english from "./vocabulary/english.json" with { type: "json" };
import french from "./vocabulary/french.json" with { type: "json" };
import german from "./vocabulary/german.json" with { type: "json" };
import italian from "./vocabulary/italian.json" with { type: "json" };
import japanese from "./vocabulary/japanese.json" with { type: "json" };
import korean from "./vocabulary/korean.json" with { type: "json" };
import polish from "./vocabulary/polish.json" with { type: "json" };
import portuguese from "./vocabulary/portuguese.json" with { type: "json" };
import productTable from "./vocabulary/products.json" with { type: "json" };
import russian from "./vocabulary/russian.json" with { type: "json" };
import spanish from "./vocabulary/spanish.json" with { type: "json" };

/**
 * What people on call say, one language per file in `vocabulary/`. Skills and incidents share the table, so a Chinese issue finds an
 * English runbook.
 *
 * Words of a phrase are adjacent; `a ~ b`: within ten words, in any order; `disk*`, `*platte`: words that start or end so. Accents may be
 * left out.
 */
type Table = Readonly<Partial<Record<string, readonly string[]>>>;

const phrases = z.array(z.string().min(1));
/** Situations have English names in every language. Throws at start if malformed. */
const languages: readonly Table[] = z
  .array(z.partialRecord(z.enum(Object.keys(english)), phrases))
  .parse([english, chinese, dutch, french, german, italian, japanese, korean, polish, portuguese, russian, spanish]);

const inAnyLanguage = (name: string): readonly string[] => languages.flatMap((table) => table[name] ?? []);

const others: readonly string[] = ["stop-words", "requests"];

/** Texts that share one are probably about the same thing. */
export const situations: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(english).flatMap((name) => (others.includes(name) ? [] : [[name, inAnyLanguage(name)]])),
);

/** One that the runbook does not know makes a match doubtful. */
export const products = z.record(z.string(), phrases).parse(productTable);

/** Phrases that ask for something: nothing runs, however many words match. */
export const requests = inAnyLanguage("requests");

export const stopWords: ReadonlySet<string> = new Set(inAnyLanguage("stop-words").flatMap((words) => words.split(" ")));

/** Other people's disks and certificates: only a runbook that names this world matches. */
export const worldsApart = {
  situations: ["facility"],
  products: ["windows", "vmware", "salesforce", "snmp"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof situations | keyof typeof products)[]>>;

/** What runs, watches or finds others: a report may name one beside the product that fails. */
export const platforms = [
  "linux",
  "kubernetes",
  "docker",
  "prometheus",
  "alertmanager",
  "dns",
  "cloud",
  "github-actions",
] as const satisfies readonly (keyof typeof products)[];

/** `Plan: …`, `[RFC] …`, `Question: …`. */
export const requestTitle =
  /^\W*(?:plan(?:ning|ung)?|request|feature|feat|question|idea|proposal|rfc|docs?|documentation|chore|discussion|wish|todo|task|epic|story|spike|meeting|reminder|announcement|training|workshop|webinar|course|survey|poll|invitation|invite|agenda|minutes|fyi|release|bump|upgrade|frage|wunsch|vorschlag|idee|aufgabe|propuesta|pregunta|tarea|proposition|tache|pregunta|建议|计划|问题咨询|需求|提案|質問)\b[^:\]]{0,20}[:\]：]/iu;

/** The fault is over: nothing runs for it. */
export const resolvedTitle =
  /^\W*(?:re\s*:\s*)?(?:resolved|recovered|recovery|ok|closed|cleared|solved|fixed|behoben|gelost|resolu|resuelto|resolvido|risolto|opgelost|已恢复|已解决|復旧|решено)(?=\W*(?:$|[\]:：)-]))/iu;

/** Listed at most, nothing proposed. */
export const taskTitle =
  /^\W*(?:rename|retire|upgrade|bump|add|introduce|document|improve|refactor|reduce|migrate|move|decommission|deprecate|evaluate|consider|order|support|allow|remove|delete|write|automate|weekly|monthly|quarterly|update|create|enable|disable|tune|adjust|lower|raise|reword|translate|archive|publish|review|prepare|schedule|switch|replace|silence|mute|test|install|set up|umbenennen|hinzufugen|erstellen|planen|ajouter|ameliorer|creer|renommer|anadir|agregar|mejorar|crear|renombrar|升级|增加|添加|优化|新增|修改|迁移)(?![\p{L}-])/iu;
