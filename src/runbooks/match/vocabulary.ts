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
 * What people on call say, one language a file in `vocabulary/`. The same situation in an alert's words, a log's and a tired
 * person's. Skills and incidents are read with the same table, so a Chinese issue finds an English runbook.
 *
 * Of a phrase, words next to each other must stand next to each other; `a ~ b`: both within ten words, in any order; `disk*`:
 * any word that starts so, `*platte`: any that ends so. Accents may be left out. `requests` is what asks for something rather
 * than reports a fault, `stop-words` are words that tell nothing.
 */
type Table = Readonly<Partial<Record<string, readonly string[]>>>;

const phrases = z.array(z.string().min(1));
/** A situation has its English name in every language. Throws at start where a table has not this form. */
const languages: readonly Table[] = z
  .array(z.partialRecord(z.enum(Object.keys(english)), phrases))
  .parse([english, chinese, dutch, french, german, italian, japanese, korean, polish, portuguese, russian, spanish]);

const inAnyLanguage = (name: string): readonly string[] => languages.flatMap((table) => table[name] ?? []);

const others: readonly string[] = ["stop-words", "requests"];

/** What is wrong. Two texts that share one are probably about the same thing. */
export const situations: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(english).flatMap((name) => (others.includes(name) ? [] : [[name, inAnyLanguage(name)]])),
);

/** Who is concerned. A product that the runbook does not know makes a match doubtful. */
export const products = z.record(z.string(), phrases).parse(productTable);

/** What a text says that asks for something: nothing to run, however many words match. */
export const requests = inAnyLanguage("requests");

export const stopWords: ReadonlySet<string> = new Set(inAnyLanguage("stop-words"));

/** A world of its own: its full disk and its expired certificate are other people's, unless the runbook names it too. */
export const worldsApart = {
  situations: ["facility"],
  products: ["windows", "vmware", "salesforce", "snmp"],
} as const satisfies Readonly<Record<string, readonly (keyof typeof situations | keyof typeof products)[]>>;

/** The label in front of a title that says the same: `Plan: …`, `[RFC] …`, `Question: …`. */
export const requestTitle =
  /^\W*(?:plan(?:ning|ung)?|request|feature|feat|question|idea|proposal|rfc|docs?|documentation|chore|discussion|wish|todo|task|epic|story|spike|meeting|reminder|announcement|training|workshop|webinar|course|survey|poll|invitation|invite|agenda|minutes|fyi|release|bump|upgrade|frage|wunsch|vorschlag|idee|aufgabe|propuesta|pregunta|tarea|proposition|tache|pregunta|建议|计划|问题咨询|需求|提案|質問)\b[^:\]]{0,20}[:\]：]/iu;

/** The title of a notice that it is over: there may have been a fault, and nothing is to be run for it now. */
export const resolvedTitle =
  /^\W*(?:re\s*:\s*)?(?:resolved|recovered|recovery|ok|closed|cleared|solved|fixed|behoben|gelost|resolu|resuelto|resolvido|risolto|opgelost|已恢复|已解决|復旧|решено)(?=\W*(?:$|[\]:：)-]))/iu;

/** A title that orders work, which may or may not be about a fault: listed at most, nothing proposed. */
export const taskTitle =
  /^\W*(?:rename|retire|upgrade|bump|add|introduce|document|improve|refactor|reduce|migrate|move|decommission|deprecate|evaluate|consider|order|support|allow|remove|delete|write|automate|weekly|monthly|quarterly|update|create|enable|disable|tune|adjust|lower|raise|reword|translate|archive|publish|review|prepare|schedule|switch|replace|silence|mute|test|install|set up|umbenennen|hinzufugen|erstellen|planen|ajouter|ameliorer|creer|renommer|anadir|agregar|mejorar|crear|renombrar|升级|增加|添加|优化|新增|修改|迁移)(?![\p{L}-])/iu;
