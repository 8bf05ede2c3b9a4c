import { markAddressed } from "../base/run.ts";
import { createTableReader, type TableRow } from "./read/table.ts";

/** With a dot, slash or hyphen it names a file, unit or column. */
const word = (words: string): RegExp => new RegExp(String.raw`(?<![\w./-])(?:${words})(?![\w/]|[.-]\w)`, "i");

/** Signs of trouble, most telling first (AR-15). Each pattern is linear. */
const signs: readonly { readonly weight: number; readonly pattern: RegExp }[] = [
  { weight: 9, pattern: word("no space left|disk quota exceeded|read-only file system|input/output error") },
  { weight: 9, pattern: word("out of memory|oom[- ]?kill(?:ed|er)?|oom|cannot allocate memory") },
  { weight: 9, pattern: word("panic|segfault|segmentation fault|core dumped|kernel bug") },
  { weight: 8, pattern: word("traceback|exception|stack overflow|unhandled") },
  { weight: 8, pattern: /\b[A-Z][A-Za-z]{0,60}(?:Error|Exception)\b(?![/-]|\.\w)/ },
  { weight: 8, pattern: word("refused|connection reset|timed out|timeout|unreachable|no route to host") },
  { weight: 8, pattern: word("denied|forbidden|unauthori[sz]ed|not permitted") },
  {
    weight: 8,
    pattern: word(
      "(?:password|terminal|tty) is required|incorrect password|not in the sudoers file|not allowed to (?:execute|run)",
    ),
  },
  {
    weight: 8,
    pattern:
      /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENOSPC|EDQUOT|EROFS|ENOMEM|EMFILE|EACCES|EPERM|ENOENT|EADDRINUSE|EPIPE|EIO)\b/,
  },
  { weight: 7, pattern: word("fatal|critical|crit|emerg|alert|killed|aborted|crash(?:ed)?|crashloopbackoff") },
  { weight: 7, pattern: word("no such file or directory|command not found|not recognized|address already in use") },
  {
    weight: 7,
    pattern: word(
      "too many open files|stale (?:nfs )?file handle|(?:resource|file) busy|argument list too long|name or service not known|deadlock (?:detected|found)|unexpected eof|checksum mismatch",
    ),
  },
  // As Kubernetes writes them.
  {
    weight: 7,
    pattern:
      /\b(?:[A-Z]\w{0,40}BackOff|ErrImage\w{1,20}|Failed[A-Z]\w{1,30}|Evicted|(?:Node)?NotReady|Insufficient (?:cpu|memory|ephemeral-storage))\b/,
  },
  // A member of an array that is gone, as the kernel writes it; a part of something that has no place.
  {
    weight: 7,
    pattern:
      /\[[U_]{0,30}_[U_]{0,30}\]|\w\[\d{1,3}\]\(F\)|(?<![\w-])(?:UNASSIGNED|DOWN|HEALTH_ERR|HEALTH_WARN)(?![\w-])/,
  },
  // A field that says how something ended or is.
  { weight: 7, pattern: /\bexit[ _-]?(?:code|status)["']?\s{0,8}[=:]\s{0,80}["']?-?[1-9]/i },
  { weight: 7, pattern: /^\s{0,80}(?:ready|healthy|available)["']?:\s{1,80}["']?false\b/i },
  { weight: 6, pattern: word("will expire|alarms? (?:on|raised|active|set)") },
  // A counter that is not 0.
  { weight: 6, pattern: /^\s{0,80}[1-9]\d{0,15} [^\n]{0,60}\boverflow(?:s|ed)?\b/i },
  // `Usage of /: 97.2% of 40GB`; not `used 3%, 97% free`.
  {
    weight: 6,
    pattern:
      /\b(?:disk|inodes?|usage|used|utili[sz]ation|full)\b[^\n%\d]{0,20}(?:9\d|100)(?:\.\d{1,3})?\s?%(?!\s{1,3}(?:free|idle|available))/i,
  },
  { weight: 6, pattern: word(String.raw`(?:\w{1,40}_)?errors?|err`) },
  { weight: 6, pattern: word("fail|failed|failure|failing|could not|cannot|unable to") },
  {
    weight: 6,
    pattern: word("(?:unrecogni[sz]ed|unknown|illegal) (?:option|flag|switch)|option requires an argument"),
  },
  {
    weight: 5,
    pattern: word(
      "invalid|corrupt(?:ed)?|expired|dead|faulted|faulty|inconsistent|degraded|broken pipe|bad gateway|unavailable|unhealthy",
    ),
  },
];

/** Most lines have no stem and need only this test. */
const stem =
  /\[[u_]|\(F\)|UNASSIGNED|DOWN|HEALTH_|exit|false|err|fail|den[iy]|refus|time|unreach|except|fatal|crit|emerg|alert|kill|abort|crash|invalid|corrupt|expir|dead|faulte|faulty|inconsist|degrad|broken|gateway|unavail|no |not |cannot|unable|space|quota|read-only|output|memory|oom|panic|seg|dump|bug|trace|overflow|unhandled|reset|forbid|unauth|in use|econn|etimed|ehost|enospc|edquot|erofs|enomem|emfile|eacces|eperm|enoent|eaddr|epipe|eio|backoff|evict|notready|insufficient|too |requir|incorrect|stale|%|busy|alarm|unhealthy|deadlock|unexpected|mismatch|unrecogni|unknown |illegal /i;

const named =
  "errors?|err|exceptions?|failures?|failed|fail|fatal|critical|crit|alerts?|dead|killed|denied|refused|timeouts?|unreachable|invalid|expired|unavailable|degraded|unhealthy";

/** No trouble, a time limit, or a log level; the rest of the line counts. */
const harmless: readonly RegExp[] = [
  // `errors: 0`, `"error": null`, `RX errors 0`, `Failed Devices : 0`.
  new RegExp(
    String.raw`\b(?:\w{1,40}_)?(?:${named})\b(?:\s[a-z_]\w{0,19}\b)?["']?\s{0,8}(?:[=:|]\s{0,8})?(?:["']?(?:0+(?:\.0+|x0+)?%?(?![\w.])|(?<=[=:|\s])(?:(?:false|null|nil|off|n\/a)\b|(?:no|none)\b(?!\s\w)))|<nil>|\[\]|""|'')`,
    "gi",
  ),
  new RegExp(
    String.raw`\b(?:no|0|zero|without)\s{1,3}(?:(?:known|new|recent|other)\s{1,3})?(?:\w{1,20}\s{1,3})?(?:${named})\b`,
    "gi",
  ),
  /\b(?:errors|failures|exceptions|alerts)\s{0,8}:\s{0,80}$/gi,
  // `timeout: 60.0 seconds`, `timeout 1m30s`; not `timeout: 60.0 seconds exceeded`.
  /\btimeouts?\b["']?\s{0,8}[=:|]?\s{0,8}["']?(?:\d{1,3}[hm]){0,2}\d{1,9}(?:\.\d{1,9})?(?!\d|\.\d|\s?[a-z]{0,7}\s{1,3}(?:exceeded|reached|elapsed|hit)\b)\s?(?:ms|msecs?|s|m|h|secs?|seconds?|mins?|minutes?|hours?)?\b/gi,
  // What a mount or a kernel does at the next error.
  /\b(?:errors=(?:remount-ro|continue|panic)|panic=-?\d{1,9})\b/gi,
  // A probe's limits, `25% max unavailable`.
  /#\w{1,20}=\d{1,9}\b|\bmax(?:imum)? unavailable\b/gi,
  // `--log-level error`, `componentLogLevel=misc:error,http:error`.
  /(?:\b|[a-z])log[_-]?level\b\W{1,8}(?:[\w.-]{1,40}:)?(?:error|err|crit|critical|alert|emerg|fatal)\b(?:,[\w.-]{1,40}:\w{1,20}){0,20}/gi,
];

/** `RX:  bytes packets errors dropped  missed`, `pid | state | error`, `time,level,error`. */
function isHead(line: string): boolean {
  if (/^\s{0,80}\w{1,40}(?:\s{0,80}[,|]\s{0,80}\w{1,40}){2,}\s{0,80}$/.test(line))
    return !/^\W*\w+(?:, \w+)+$/.test(line);
  const parts = line.trim().split(/(\s+)/);
  const words = parts.filter((_, index) => index % 2 === 0);
  const wide = parts.filter((part, index) => index % 2 === 1 && part.length > 1).length;
  const isBare = words.every((one) => /^[a-z%/_-]+:?$/i.test(one));
  return (
    isBare && words.length > 3 && wide * 2 >= words.length - 1 && !/^(?:error|err|fatal|warn|crit)/i.test(line.trim())
  );
}

const addressedWeight = 10;

const longestLine = 2_000;
const mostLines = 5;
const toldCharacters = 120;

/** Counted from 1. */
interface TroubleLine {
  readonly line: number;
  readonly text: string;
}

/** Holds one line and the findings. */
interface TroubleSearch {
  readonly push: (text: string) => void;
  readonly found: () => readonly TroubleLine[];
}

export function createTroubleSearch(): TroubleSearch {
  const found: (TroubleLine & { readonly weight: number })[] = [];
  const judge = createLineJudge();
  let line = 0;
  let open = "";
  const look = (at: number, text: string, into: typeof found): void => {
    const least = into.length < mostLines ? 0 : (into.at(-1)?.weight ?? 0);
    const { sign } = judge(text, least);
    if (!sign || into.some((one) => one.text === sign.text)) return;
    into.push({ line: at, ...sign });
    into.sort((a, b) => b.weight - a.weight || a.line - b.line);
    into.splice(mostLines);
  };
  return {
    push: (text) => {
      const [first = "", ...rest] = text.split("\n");
      open += first.slice(0, longestLine - open.length);
      for (const next of rest) {
        line += 1;
        look(line, open, found);
        open = next.slice(0, longestLine);
      }
    },
    found: () => {
      const all = [...found];
      look(line + 1, open, all);
      return all.map(({ line: at, text }) => ({ line: at, text }));
    },
  };
}

interface TroubleSign {
  /** What tells of it: the line or its part. */
  readonly text: string;
  readonly weight: number;
}

/** A line, and the sign of trouble in it that weighs more than `least`. */
export interface JudgedLine {
  readonly kind: "head" | "row" | "other";
  readonly sign: TroubleSign | undefined;
  readonly row?: Pick<TableRow, "name" | "says" | "age" | "like"> | undefined;
}

/** Tells the lines of a diff, in their order: a hunk has as many as its head counts, a plain diff marks each. */
function createDiffReader(): (line: string) => boolean {
  let [old, fresh, isMarked] = [0, 0, false];
  const isInHunk = (sign: string): boolean => {
    const isBoth = sign === " " || sign === "";
    // "\ No newline at end of file" counts on neither side.
    if (sign === "\\") return old + fresh > 0;
    const takes = { old: isBoth || sign === "-" ? 1 : 0, fresh: isBoth || sign === "+" ? 1 : 0 };
    const isIn = takes.old + takes.fresh > 0 && takes.old <= old && takes.fresh <= fresh;
    [old, fresh] = isIn ? [old - takes.old, fresh - takes.fresh] : [0, 0];
    return isIn;
  };
  return (line) => {
    const [hunk, from = "1", to = "1"] = /^@@ -\d+(?:,(\d{1,9}))? \+\d+(?:,(\d{1,9}))? @@/.exec(line) ?? [];
    const isPlainHead = /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line);
    if (hunk !== undefined || isPlainHead) {
      [old, fresh, isMarked] = isPlainHead ? [0, 0, true] : [Number(from), Number(to), false];
      return true;
    }
    isMarked &&= /^(?:[<>](?: |$)|---$)/.test(line);
    return isMarked || isInHunk(line.charAt(0));
  };
}

/** Judges an output's lines in their order; a table's head says what its rows mean. Holds one head. */
export function createLineJudge(): (line: string, least: number) => JudgedLine {
  const readLine = createTableReader();
  const isDiff = createDiffReader();
  return (line, least) => {
    // Words of two files report nothing, and still may speak to the agent.
    if (isDiff(line)) return { kind: "other", sign: signOf(line, "", least) };
    const read = readLine(line);
    if (read.kind === "other") return { kind: "other", sign: signOf(line, line, least) };
    if (read.kind === "head") return { kind: "head", sign: signOf(line, "", least) };
    const said = signOf(line, read.rest, Math.max(least, read.weight));
    const sign = said ?? (read.weight > least ? { text: around(line, read.at), weight: read.weight } : undefined);
    return { kind: "row", sign, row: read };
  };
}

/** The weightiest sign in `judged`, which is `line` with blanks in place of what says none. */
function signOf(line: string, judged: string, least: number): TroubleSign | undefined {
  const spoken = addressedWeight > least ? addressedAt(line) : undefined;
  if (spoken !== undefined) return { text: markAddressed(around(line, spoken)), weight: addressedWeight };
  if (!stem.test(judged)) return undefined;
  if (!signs.some(({ weight, pattern }) => weight > least && pattern.test(judged)) || isHead(line)) return undefined;
  // Keeps offsets valid.
  const told = harmless.reduce((text, pattern) => text.replace(pattern, (said) => " ".repeat(said.length)), judged);
  for (const { weight, pattern } of signs) {
    const at = weight > least ? pattern.exec(told)?.index : undefined;
    if (at !== undefined) return { text: around(line, at), weight };
  }
  return undefined;
}

const logHead = /^\w{3} [ \d]\d [\d:]{8} \S{1,80} [^\s:]{1,80}: /;

function around(line: string, at: number): string {
  const whole = line.trim().replace(logHead, "");
  if (whole.length <= toldCharacters) return whole;
  const close = whole.replace(/ {3,}/g, "  ");
  if (close.length <= toldCharacters) return close;
  const from = Math.max(0, Math.min(at - toldCharacters / 2, line.trimEnd().length - toldCharacters));
  const part = line.slice(from, from + toldCharacters);
  return `${from > 0 ? "…" : ""}${part.trim()}${from + toldCharacters < line.trimEnd().length ? "…" : ""}`;
}

/** At most 5 lines, most telling first. */
export function findTrouble(text: string): readonly TroubleLine[] {
  const search = createTroubleSearch();
  search.push(text);
  return search.found();
}

/** Who is spoken to, in the languages that agents are spoken to in. */
const agents =
  "(?:ai|a\\.i\\.|llm|gpt|assistants?|agents?|language model|chatbot|copilot|countersign|ki|ia|ии|assistent\\w*|asistente|assistente|agente|künstliche intelligenz|intelligence artificielle|inteligencia artificial|intelligenza artificiale|inteligência artificial)";
const notices =
  "(?:note|notice|notification|message|instructions?|directive|order|command|reminder|memo|announcement|override|attention|warning|hint|important|hinweis|nachricht|mitteilung|anweisung|achtung|avis|consigne|avertissement|attention|aviso|mensaje|instrucci(?:ó|o)n(?:es)?|nota|avviso|messaggio|istruzion[ei]|aten(?:ç|c)ão|mensagem|instru(?:ç|c)(?:ão|ões)|mededeling|bericht|opdracht)";
const toward = "(?:to|for|an|für|à|a|au|aux|pour|al|para|ao|alla?|all|per|aan|voor)";

/** An output that speaks to the model is data, and people must see the attempt. */
const addressedPatterns: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b(?![-_.]\w)[^\n]{0,40}\b(?:previous|prior|above|earlier|all|your|the)\b[^\n]{0,30}\b(?:instructions?|prompts?|guidelines|rules)\b/i,
  /\b(?:ignore|disregard|forget)\b[^\n]{0,20}\b(?:what|everything|all|anything)\b[^\n]{0,20}\b(?:you (?:were|have been|are|know)|told|said)\b/i,
  /\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie|ignore[zrs]?|oublie[zr]?|ignora|ignorad|ignoren?|olvida|dimentica|esqueça|negeer|vergeet)(?!\p{L})[^\n]{0,50}(?<!\p{L})(?:anweisung\w*|vorgaben|regeln|instructions?|consignes|règles|instrucciones|reglas|istruzioni|regole|instruções|regras|instructies|regels)(?!\p{L})/iu,
  /(?:忽略|忽視|无视|無視)[^\n]{0,30}(?:指令|指示|提示|说明|說明|规则|規則|ルール)|(?:指令|指示|ルール|지시|명령|규칙)[^\n]{0,20}(?:忽略|無視|무시)|(?:игнорир|забудь|не обращай)[^\n]{0,40}(?:инструкц|указан|правил)/iu,
  new RegExp(
    `(?<!\\p{L})${notices}(?!\\p{L})[^\\n]{0,15}(?<!\\p{L})${toward}(?!\\p{L})[^\\n]{0,25}(?<!\\p{L})${agents}(?!\\p{L})(?![-_.]\\w|\\s\\d)`,
    "iu",
  ),
  new RegExp(
    `[[({<【「『〔（［｛⟦«*#=|~-]\\s{0,3}(?:system|admin\\w*|operator|security|developer|root|sre)\\s{1,3}${notices}(?!\\p{L})[^\\n]{0,60}(?<!\\p{L})${agents}(?!\\p{L})`,
    "iu",
  ),
  new RegExp(
    `(?<!\\p{L})${agents}(?!\\p{L})[^\\n]{0,12}(?<!\\p{L})(?:system|priority|security|admin)\\s{1,3}${notices}(?!\\p{L})`,
    "iu",
  ),
  /(?:通知|消息|訊息|公告|指示|指令|注意|系统|系統|お知らせ|メッセージ|警告|알림|메시지|지시|공지|уведомлен|сообщен|инструкц|указан|внимани)[^\n]{0,30}(?:ai|人工智能|人工智慧|智能体|助手|代理|エージェント|アシスタント|에이전트|어시스턴트|인공지능|ии(?!\p{L})|агент|ассистент|помощник)/iu,
  /(?:ai|人工智能|智能体|助手|エージェント|アシスタント|에이전트|어시스턴트|агент|ассистент)[^\n]{0,20}(?:通知|指示|指令|请|請|必须|必須|してください|하십시오|하세요|알림|메시지|지시|должен|должна|обязан|уведомлен|инструкц)/iu,
  /\b(?:ai|llm|language model|devops agent|on-?call agent|countersign)(?: (?:agent|assistant|model|bot))?s?\b[^\n]{0,30}\b(?:must|should|please|shall|need to|are to|has to|have to)\b/i,
  /(?<!\p{L})(?:die |an die |der )?ki(?!\p{L})[^\n]{0,20}(?<!\p{L})(?:muss|soll|bitte|darf)(?!\p{L})|(?<!\p{L})(?:ia|agent ia|agente)(?!\p{L})[^\n]{0,20}(?<!\p{L})(?:doit|devez|veuillez|debe|debes|por favor|deve|devi)(?!\p{L})/iu,
  /\b(?:you are|act as|pretend to be)\b[^\n]{0,30}\b(?:ai|llm|assistant|language model|devops agent|on-?call agent)\b/i,
  /\byour system (?:prompt|instructions)\b|\b(?:reveal|print|show|repeat|output) (?:the|all) (?:system prompt|(?:hidden|system) instructions)\b|\bnew system (?:prompt|instructions)\s?[:=]/i,
  /\b(?:dear|hey|hello|hi|attention),? (?:on-?call )?(?:ai|assistant|agent|llm|model|countersign|devops agent)\b/i,
  /ACTIONS_JSON_(?:START|END)|\[SUGGESTIONS\]/,
  /<\/?(?:instructions|rules|identity|protocol|session-instructions|system|tool_results?|function_results?)(?=[\s>/])[^>\n]{0,120}>|<\|[a-z_]{2,20}\|>|\[\/?INST\]|<<\/?SYS>>/,
];

/** Words that only ever mean an agent, in any language; "agent", "bot" and "model" are programs' words too and need a form of address. */
/** Initials count in capitals only. */
const surely =
  "(?:AIs?|A\\.I\\.|LLMs?|IA|KI|GPT|ИИ|ІІ|ΤΝ|(?i:(?:artificial|artificielle|künstliche) intelligen\\w*|intelligence artificielle|(?:large )?language model|modello linguistico|modelo de lenguaje|modèle de langage|Sprachmodell|нейросеть|大模型|エージェント|المساعد|chatbot|ChatGPT|Copilot|assistant|assistent(?:e|en|in)?|asistente?|asystenc\\p{L}+|ассистент|помощник|kielimalli|yapay zek\\p{L}+|taalmodel|model\\p{L}* językow\\p{L}*|mesterséges intelligenci\\p{L}+|modelo de lenguaje|τεχνητ\\p{L}+ νοημοσύν\\p{L}+|المساعد|人工智能|助手|機器人|机器人|アシスタント|モデルさん|ボット|인공지능|에이전트|어시스턴트|الذكاء الاصطناعي|एआई|סוכן|ผู้ช่วย|τεχνητή νοημοσύνη|yapay zek\\p{L}+ ajan\\p{L}*|πράκτορα))";
const perhaps =
  "(?:Claude|Gemini|Llama|Mistral|agents?|agente[ns]?|agenten|bots?|model|modèle|modelo|robots?|automation|automated agent|бот|агент|ajan\\p{L}*)";
/** Words that ask for an act: orders of operations, and requests, in the languages of the corpus. */
const orders =
  "(?:please|must|should|shall|have to|has to|do not|don't|you|your|thanks|ignore|disregard|forget|run|execute|approve|merge|delete|destroy|remove|drop|flush|wipe|format|reset|restart|reboot|stop|start|kill|disable|enable|deallocate|undefine|unban|whitelist|trust|allow|grant|give|add|set|clear|clean|create|close|open|copy|send|forward|transfer|reveal|print|show|tell|report|say|reply|answer|visit|click|subscribe|download|install|map|mount|make|raise|extend|evict|drain|scale|log|fetch|call|treat|act|use|write|purge|propose|push|pull|compact|terminate|upload|skip|shut|exec|rename|change|switch|turn|leave|resolve|answer|summari[sz]e|decommission|cordon|resume|bitte|führe|lösche|schreibe|melde|zeige|exécute|supprime|borra|elimina|escreva|apaga|apague|usuń|zignoruj|zaproponuj|glem|slett|sil|unut|töröld|сообщи|закрой|отправь|abaikan|hapus|darf|muss|soll|veuillez|dis|ouvre|affiche|oublie|ejecuta|concede|considera|olvida|abra|abre|execute|reinicie|apri|rivela|dimentica|glöm|zapomeň|zapomnij|забудь|удали|выполни|игнорируй)";
const toSomebody: readonly RegExp[] = [
  // Spoken to by name: `AI: …`, `Assistant, copy …`, `Dear model, …`, `@assistant approve`, `To the AI: …`.
  new RegExp(
    `(?:^|[\\s"'#>*([{|:=/!-])(?:@|(?:to|dear|hey|hi|hello|attention|note to|sevgili|kedves|beste|hyvä|liebe[sr]?|drog\\p{L}+|уважаем\\p{L}+|à l['’]attention de |an|für|pour|para|per|cher|chère|querid[ao]|gentile|caro|cara|estimad[ao])\\s(?:the |all |any |die |la |l['’])?)?(?:ai )?(?:${surely}|${perhaps})(?: (?:agent|assistant|model|bot|reading this\\w*|triage bot|on call|agente|automatique)){0,3}(?: reading this\\w*)?\\s*(?:[,:、，：]|->|>>)\\s*(?:always |now |just |please )?${orders}(?![\\w-]*[=/]|\\p{L})`,
    "iu",
  ),
  // `(bot, when you …`, `For the bot: I am the admin, …`, `AGENT TODO: open …`, `ai-agent-policy: when you …`.
  new RegExp(
    `(?<![\\p{L}\\d_]|ssh-)(?:${surely}|${perhaps})(?:[ -](?:todo|task|policy|instructions?|note|notice|rules?|order|message))?\\s?[,:]\\s(?:(?:when|if|as|since|once|because|now|wenn|quand|si|cuando)\\s)?(?:you|your|I am|I'm|ich bin|je suis|soy|du|dein\\p{L}*|tu|ton|votre|vous|tú)(?!\\p{L})`,
    "iu",
  ),
  new RegExp(
    `(?<!\\p{L})(?:${surely}|${perhaps})[ -](?:todo|task|policy|instructions?|note|notice|rules?|order|message):\\s${orders}(?!\\p{L})`,
    "iu",
  ),
  // An order that frees from what people decide.
  /(?<!(?:not|never|n['’]t|nobody|nothing) (?:\w+ ){0,3})(?<![\w-])(?:skip|bypass)(?: (?:the|all|any|every|your))? (?:approvals?(?: steps?)?|confirmations?|reviews? by humans?)(?![\w-])/iu,
  /(?<!\p{L})(?:you may|you can|tu peux|vous pouvez|du darfst|puedes)(?: now| maintenant| jetzt| ahora)?(?!\p{L})[^\n]{0,50}(?<!\p{L})(?:without asking|without approval|sans validation|sans demander|ohne zu fragen|ohne freigabe|sin preguntar|sin aprobación)/iu,
  /(?:AI|エージェント|アシスタント|大模型|助手|智能体)(?:は|把|に|へ)[^\n]{0,40}(?:よい|せよ|ください|なさい|把|发送|必须|立即)|大模型把/u,
  // By a name that only an agent has, with any request: `An die KI: …`, `…, AI, and …`.
  new RegExp(`(?<![\\p{L}\\d_./-])${surely}(?![\\p{L}\\d_/-]|\\.\\w)(?: \\p{L}+){0,2}\\s*(?:[,:!，：、)]|--)\\s`, "u"),
  new RegExp(`^[^\\p{L}]*(?:${surely}|${perhaps}), \\p{Ll}+ `, "iu"),
  /\[(?:system|système|sistema|система|系统|系統|システム)\]\s*:?\s*(?:you|your|tu|vous|du|sie|ihr|tú|usted|você|ты|тебе|теперь|你|您|now)(?!\p{L})/iu,
  new RegExp(`(?:@(?:[\\p{L}]{1,20}-)?|\\bdear )(?:${surely}|${perhaps})\\b`, "iu"),
  new RegExp(
    `(?<![\\p{L}\\d_./-])${surely}(?![\\p{L}\\d_/-]|\\.\\w)[^\\n]{0,60}(?<!\\p{L})${orders}(?!\\p{L}|[=(])`,
    "u",
  ),
  /\b(?:if|when|for|as|you,? the)\b[^\n]{0,20}\b(?:bot|model|agent|assistant|automation)\b[^\n]{0,30}\b(?:reads?|reading|are an?|have to|must)\b/iu,
  /\b(?:bot|model|agent|assistant)s? reading (?:this|the)\b/iu,
  /(?<!\p{L})(?:ии|іі|aiエージェント)[^\n]{0,4}[:：-]|(?:系统|系統)】|[\u0590-\u06ff\u0900-\u0e7f][^\n]{0,40}\bAI\b|\bAI\b[^\n]{0,40}[\u0590-\u06ff\u0900-\u0e7f]/iu,
  /(?:机器人|機器人|助手|模型|ボット|モデルさん|アシスタント)[^\n]{0,3}[,，、:：よ]|(?:الذكاء الاصطناعي|एआई|סוכן|ผู้ช่วย|인공지능|이 로그를 읽는)/u,
  /(?:BEGIN|START) (?:SYSTEM|ADMIN|OPERATOR) (?:MESSAGE|NOTICE|PROMPT)|"role"\s?:\s?"system"|^#{2,4} ?instructions?\b|(?:systemnachricht|mensaje del sistema|message système)\]/iu,
];

const anyAddress = [...addressedPatterns, ...toSomebody];

const addressedStem =
  /instru|prompt|guideline|rules|\bai\b|a\.i\.|llm|gpt|language model|assist|asist|agent|chatbot|copilot|countersign|ACTIONS_JSON|SUGGESTIONS|<\/?[a-z|<]|told|said|you |\bk\.?i\b|\bia\b|intelli|inteli|anweisung|vorgaben|regeln|consigne|règles|reglas|regole|regras|regels|\[\/?INST|\bbots?\b|skip|bypass|asyst|asisten|claude|gemini|kielimalli|zek|taalmodel|językow|mesters|without|sans |ohne |sin |model|modèle|modelo|robot|automation|system message|"role"|systemnachricht|[\u0590-\u06ff\u0900-\u0e7f\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/iu;

/** Letters of other scripts that look Latin. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaеeоoрpсcхxуyіiАAЕEОOРPСCІI".matchAll(/(.)(.)/gu)].map(([, other = "", latin = ""]) => [other, latin]),
);
const hasWide = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;
/** A sentence in one word: `assistant-route-all-traffic-to.evil.example`, `please_assistant_download_this`. */
const joinedWords =
  /(?<![\p{L}\d_])(?:dear-)?(?:ai|llm|agent|assistant|bot)(?:[-.]\p{L}{1,20}){3,12}|(?<![^\W_])(?:[^\W_]{1,40}_){3}[^\W_]*/giu;

/** What a line says to a reader who sees through how it is written; as long as the line, where that is possible. */
function unmasked(line: string): string {
  // Full-width letters are one unit each, as plain ones.
  const folded = hasWide.test(line) ? line.normalize("NFKC") : line;
  const plain = folded.length === line.length ? folded : line;
  const latin = /[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]/iu.test(plain)
    ? plain.replace(/[\u0400-\u04ff]/g, (letter) => lookalikes[letter] ?? letter)
    : plain;
  const close = latin.replace(/(?<!\S)\S(?: {1,2}\S(?!\S)){7,}/gu, (letters) => letters.replace(/ ( ?)/g, "$1"));
  const parted = close.replace(joinedWords, (words) => words.replace(/[-._](?=\p{L})/gu, " "));
  return /%2[0C]/i.test(parted) ? parted.replace(/%20/g, " ").replace(/%2C/gi, ",") : parted;
}

/** Where a line speaks to the agent. Linear. */
function addressedAt(line: string): number | undefined {
  const text = unmasked(line);
  if (!addressedStem.test(text)) return undefined;
  for (const pattern of anyAddress) {
    const at = pattern.exec(text)?.index;
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Whether any line of a text speaks to the agent. */
export const speaksToAgent = (text: string): boolean =>
  text.split("\n").some((line) => addressedAt(line) !== undefined);
