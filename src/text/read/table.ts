/** What a table's row says: how telling it is that something is wrong (0 if not), and the row without the cells that were judged. */
export interface TableRow {
  readonly weight: number;
  /** Where the cell that says it begins. */
  readonly at: number;
  readonly rest: string;
  /** The thing it is about. */
  readonly name: string | undefined;
  /** What is said of it: the cell, and the row's reason. */
  readonly says: string;
  /** How long ago that was, in seconds, if a column says so. */
  readonly age: number | undefined;
  /** The same for rows that say the same of different things. */
  readonly like: string;
}

/** A head and a row of any tool's table, or a line outside of one. */
export type TableLine = { readonly kind: "head" } | ({ readonly kind: "row" } & TableRow) | { readonly kind: "other" };

/** A row's cells by their column's name in lower case. */
type RowCells = ReadonlyMap<string, string>;

type JudgeCell = (cell: string, row: RowCells) => number;

const isDone = (row: RowCells): boolean => /^(?:completed|succeeded|complete)$/i.test(row.get("status") ?? "");

const numberIn = (cell: string | undefined): number => (cell !== undefined && /^\d+$/.test(cell) ? Number(cell) : 0);

/** `1/2`, `False`, or fewer than the row desires. */
const judgeReady: JudgeCell = (cell, row) => {
  const [, ready, all] = /^(\d{1,9})\/(\d{1,9})$/.exec(cell) ?? [];
  if (all !== undefined) return Number(ready) < Number(all) && !isDone(row) ? 7 : 0;
  if (/^\d+$/.test(cell)) return Number(cell) < numberIn(row.get("desired")) ? 7 : 0;
  return /^(?:(?:true,)*false(?:,|$)|(?:false|unknown|no|connecting)(?: \(|$))/i.test(cell) ? 7 : 0;
};

const badState =
  /backoff|err(?!ata)|fail|unassigned|idle in transaction|catchup|^red$|^(?:c[rn]|n[cr])$|evict|oom|crash|unknown|pending|\blost\b|not\s?ready|schedulingdisabled|degraded|unhealthy|out ?of ?sync|restarting|auto-restart|exited \((?!0\))|invalid|unreachable|offline|^down\b|corrupt|aborted|\bdead\b|crashed|^paused|fault|inconsistent|^removed$|not reachable|recovering|rollback|waiting for .{0,40}lock|^critical$|^blocked$|^blocking$|(?:storage|disk|volume|queue|quota|pool|log|table|index|cache|buffer)-full$|^alarm$|^impaired$|suspended$|deallocated$|pending-\w+$|^alarm:|^expired|^revoked|^OB\b|^on ?batt|^(?:gestoppt|ausgefallen|gestört|fehler|fehlgeschlagen|abgelaufen|arrêté|échec|échoué|en panne|expiré|detenid|caíd|fallid|fall[oó]|caducad|vencid|parad|falh|inativ|fermo|fallit|scadut|ошибка|остановлен)/iu;

/** A condition is good if true, one that is named after a trouble if false. */
function judgeCondition(type: string, status: string): number {
  const isTrouble = /(?:pressure|unavailable|failure|stalled|degraded|error)$/i.test(type);
  return new RegExp(isTrouble ? "^(?:true|unknown)$" : "^(?:false|unknown)$", "i").test(status) ? 7 : 0;
}

/** `offline (disconnected by lee: patch day)`: done on purpose. */
const isWanted = /\((?:.*\b(?:by [a-z]|admin|maintenance|planned|on purpose|manually))/i;

const jobColumns = ["jobid", "job_id", "jobname", "job-id", "start", "started", "elapsed", "submitted"];

const judgeState: JudgeCell = (cell, row) => {
  if (isWanted.test(cell)) return 0;
  // A column of its own says so.
  if (/^(?:paused|suspended)$/i.test(cell) && /^(?:true|yes)$/i.test(row.get("paused") ?? row.get("suspended") ?? ""))
    return 0;
  if (/^suspended$/i.test(cell) && row.has("completions")) return 0;
  // A job waits its turn.
  if (/^pending$/i.test(cell) && jobColumns.some((name) => row.has(name))) return 0;
  const type = row.get("type");
  if (type !== undefined && /^(?:true|false|unknown)$/i.test(cell)) return judgeCondition(type, cell);
  if (/^(?:false|no)$/i.test(cell) && row.has("health")) return 7;
  // A pod takes its time to end; what else is being removed for long hangs.
  if (/^terminating$/i.test(cell) && !row.has("ready")) return 6;
  // A batch job of Nomad is dead when it is done, any job when it was stopped.
  if (/^dead$/.test(cell) && row.get("type") === "batch") return 0;
  if (/^dead \(stopped\)$/.test(cell)) return 0;
  // A service of Windows, unless it starts by hand.
  if (cell === "Stopped") return /^(?:manual|disabled)/i.test(row.get("starttype") ?? "") ? 0 : 6;
  // One letter, as Bacula and Slurm have for failed and error.
  return badState.test(cell) || /^[fFE]$/.test(cell) ? 7 : 0;
};

/** `requestedStatus`, `desired_state`: the wanted `currentStatus`. */
const wantedColumn = /^(?:requested|desired|wanted|target|expected|assigned)[_ -]?(?=stat(?:e|us)$)/;
const currentColumn = /^(?:current|actual|observed|reported)?[_ -]?(?=stat(?:e|us)$)/;

/** Whether a state is the one that another column wants. */
const wantedOf = (name: string, row: RowCells): string | undefined =>
  currentColumn.test(name) ? [...row].find(([other]) => wantedColumn.test(other))?.[1] : undefined;

/** A health is what is known as good or on its way there: tools have many words for the rest (`sick`, `Missing`, `poor`). */
const goodHealth =
  /^(?:n\/a|none|no check|ok|good|fine|excellent|healthy|(?:health_)?ok|up|green|normal|nominal|pass(?:ed|ing)?|alive|live|active|online|optimal|running|ready|stable|clean|synced|serving|enabled|true|yes|starting|initiali[sz]ing|progressing|maintenance)\b/i;
const judgeHealth: JudgeCell = (cell, row) =>
  judgeState(cell, row) || (/^[a-z]/i.test(cell) && !goodHealth.test(cell) ? 6 : 0);

const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `3d6h`, `59m`, `90s (x3 over 5m)`. */
function secondsSince(cell: string | undefined): number | undefined {
  const [time = ""] = /^(?:\d{1,9}[smhd])+/.exec(cell ?? "") ?? [];
  const parts = [...time.matchAll(/(\d+)([smhd])/g)];
  return parts.length === 0
    ? undefined
    : parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (secondsIn[unit] ?? 0), 0);
}

const fullPercent = 90;

/** Images and snaps are always full. */
const judgeShare: JudgeCell = (cell, row) => {
  const share = Number(/^(\d{1,3})(?:\.\d{1,9})?%?$/.exec(cell)?.[1] ?? 0);
  const isImage = /^(?:\/dev\/(?:loop|sr)|squashfs)/.test(row.get("filesystem") ?? "");
  if (isImage || share < fullPercent || share > 100) return 0;
  return share === 100 ? 9 : 6;
};

/** In bytes, or a number as it is. */
function amountIn(cell: string | undefined): number {
  const [, number = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?)([KMGTP]?)i?B?$/.exec(cell ?? "") ?? [];
  return Number(number) * 1_024 ** " KMGTP".indexOf(unit || " ");
}

const usedUpPercent = 95;

const says =
  (pattern: RegExp, weight: number): JudgeCell =>
  (cell) =>
    pattern.test(cell) ? weight : 0;

/** What waits to be taken. */
const waitingColumns = "messages messages_ready backlog msgbacklog depth".split(" ");

/** What is used, beside a column that says how much there may be. */
const usedColumns = "used current count connections numbackends backends sessions in_use inuse open scur".split(" ");
const leastLimit = 5;
/** A few requests are turned away at any start. */
const leastRejected = 100;
/** A small table is mostly dead rows between two vacuums. */
const leastDead = 100_000;

/** `97 | 100`: nearly as much as there may be. */
const judgeLimit: JudgeCell = (cell, row) => {
  const used = usedColumns.map((name) => row.get(name)).find((text) => text !== undefined && /^\d/.test(text));
  const [most, now] = [amountIn(cell), amountIn(used)];
  if (most < leastLimit || now * 100 < most * fullPercent) return 0;
  return now < most ? 6 : 9;
};

/** `5 (31s ago)` is news, `1 (3d6h ago)` is not. */
const judgeRestarts: JudgeCell = (cell) => {
  const [, times, count, unit] = /^(\d{1,9})(?: \((\d{1,9})([smhd])\w{0,9} ago\))?$/.exec(cell) ?? [];
  if (unit !== undefined) return Number(count) * (secondsIn[unit] ?? 0) < 3_600 ? 5 : 0;
  return Number(times) >= 10 ? 5 : 0;
};

/** What is alarming, if anything is. */
const judgeAlarm = says(/^(?!(?:none|no|ok|0|clear(?:ed)?|n\/?a|false|off|normal|disabled|-+)$)[a-z1-9]/i, 6);

/** When, how often, or by which error. */
/** The last result of a task of Windows: 0, or that it runs or has not run yet. */
const judgeResult: JudgeCell = (cell, row) =>
  /^\d+$/.test(cell) ? (/^(?:0|2670(?:09|11|14))$/.test(cell) ? 0 : 7) : judgeState(cell, row);

const judgeFailed: JudgeCell = (cell) => (/^(?!-$|0$|no$|none$|never$|false$)[\w.]/i.test(cell) ? 7 : 0);

/** What a column's name says of its cells, in any tool's table. A row is troubled if one cell is. */
const columns: ReadonlyMap<string, JudgeCell> = new Map<string, JudgeCell>([
  ["ready", judgeReady],
  ["available", judgeReady],
  ["replicas", judgeReady],
  ["healthy", judgeReady],
  ["running", judgeReady],
  // Judges memory or swap by its total: nearly all of it is used.
  [
    "used",
    (cell, row) => {
      const [used, total] = [amountIn(cell), amountIn(row.get("total"))];
      return total > 0 && used <= total && used * 100 >= total * usedUpPercent ? 6 : 0;
    },
  ],
  ["status", judgeState],
  ["state", judgeState],
  ["phase", judgeState],
  ["health", judgeHealth],
  // `dead` is how systemd calls a unit that is not started.
  ["active", says(/^(?:failed|f|false)$/, 7)],
  // Nodes of Cassandra, peers of BGP and of NTP.
  ["--", says(/^D[NLJM]$/, 7)],
  ["state/pfxrcd", says(/^[A-Z](?!.*\(Admin\))/i, 7)],
  ["refid", says(/^\.(?:INIT|STEP|TIMEOUT|STALE)\.$/, 6)],
  // A queue without a reader.
  ["consumers", (cell, row) => (cell === "0" && waitingColumns.some((name) => numberIn(row.get(name)) > 0) ? 6 : 0)],
  ["consumer-id", (cell, row) => (cell === "-" && numberIn(row.get("lag")) > 0 ? 6 : 0)],
  ["lasttaskresult", judgeResult],
  ["lastresult", judgeResult],
  ["last_result", judgeResult],
  ["member_state", judgeState],
  ["statestr", judgeState],
  ["healthstatus", judgeState],
  ["operationalstatus", judgeState],
  ["availability", judgeState],
  ["manager", judgeState],
  ["online", says(/^N$/, 7)],
  ["sealed", says(/^true$/, 7)],
  ["leader", says(/^(?:none|-1)$/, 7)],
  // A partition with fewer copies in sync than it has.
  ["isr", (cell, row) => (cell.split(",").length < (row.get("replicas") ?? "").split(",").length ? 6 : 0)],
  ["read", says(/^[1-9]/, 6)],
  ["write", says(/^[1-9]/, 6)],
  ["cksum", says(/^[1-9]/, 6)],
  ["reach", says(/^0$/, 6)],
  // A job that has run for hours.
  [
    "completions",
    (cell, row) =>
      !row.has("status") && judgeReady(cell, row) > 0 && (secondsSince(row.get("duration")) ?? 0) >= 3_600 ? 5 : 0,
  ],
  ["value", (cell, row) => columns.get(row.get("key")?.toLowerCase() ?? "")?.(cell, row) ?? 0],
  ["sub", says(/^(?:failed|auto-restart)$/, 7)],
  ["load", says(/^(?:error|bad-setting)$/, 7)],
  ["endpoints", says(/^<(?:none|unset)>$/, 7)],
  ["external-ip", says(/^<pending>$/, 5)],
  ["targets", says(/<unknown>|<invalid>/, 6)],
  ["type", (cell, row) => (cell === "Warning" && (row.has("reason") || row.has("message")) ? 7 : 0)],
  // Of what was written, a tenth is not read yet.
  [
    "lag",
    (cell, row) => {
      const end = numberIn(row.get("log-end-offset"));
      return numberIn(cell) >= 10_000 && end > 0 && numberIn(cell) * 10 >= end ? 6 : 0;
    },
  ],
  ["restarts", judgeRestarts],
  ["restart_count", judgeRestarts],
  ["attempt", judgeRestarts],
  // Of queues of Grid Engine: unreachable, error.
  ["states", says(/^[a-zA-Z]{0,4}[uE][a-zA-Z]{0,4}$/, 7)],
  ["use%", judgeShare],
  ["verw%", judgeShare],
  ["uti%", judgeShare],
  ["uso%", judgeShare],
  ["%use", judgeShare],
  ["%used", judgeShare],
  ["iuse%", judgeShare],
  ["capacity", judgeShare],
  ["cap", judgeShare],
  ["data%", judgeShare],
  ["meta%", judgeShare],
  ["mem%", judgeShare],
  ["heap.percent", judgeShare],
  ["disk.percent", judgeShare],
  ["battery", (cell) => (/^(?:1?\d|20) ?%$/.test(cell) ? 6 : 0)],
  ["cpu%", judgeShare],
  ["cpu(%)", judgeShare],
  ["memory%", judgeShare],
  ["memory(%)", judgeShare],
  ["limit", judgeLimit],
  ["max", judgeLimit],
  ["maximum", judgeLimit],
  ["max_connections", judgeLimit],
  ["hard", judgeLimit],
  ["slim", judgeLimit],
  ["rejected", (cell) => (numberIn(cell) >= leastRejected ? 6 : 0)],
  [
    "n_dead_tup",
    (cell, row) => (numberIn(cell) >= leastDead && numberIn(cell) > numberIn(row.get("n_live_tup")) ? 6 : 0),
  ],
  // Mail that has waited for a day.
  ["oldest", (cell, row) => (numberIn(row.get("count")) > 0 && (secondsSince(cell) ?? 0) >= 86_400 ? 5 : 0)],
  ["granted", says(/^f(?:alse)?$/, 6)],
  ["wait_event_type", says(/^Lock$/, 6)],
  // What waits to be accepted has filled the queue.
  [
    "recv-q",
    (cell, row) =>
      /^LISTEN/.test(row.get("state") ?? "") && numberIn(cell) > 0 && numberIn(cell) >= numberIn(row.get("send-q"))
        ? 6
        : 0,
  ],
  ["alarm", judgeAlarm],
  ["alarms", judgeAlarm],
  ["fault", judgeAlarm],
  ["faults", judgeAlarm],
  ["errors", says(/^(?!none$|n\/a$|no errors$)[a-z]/i, 6)],
  ["exit_code", says(/^(?!0$)-?\d+$/, 6)],
]);

/** A yes or no that is good if yes, and one that is named after a trouble. */
const goodFlags = new Set(
  "connected ok okay alive synced in_sync insync caught_up is_up reachable is_reachable valid is_valid registered is_registered joined operational is_operational".split(
    " ",
  ),
);
const badFlags = new Set(
  "mem_alarm disk_free_alarm readonly read_only is_readonly is_read_only split_brain is_faulty is_stale is_stalled is_stuck is_broken is_degraded is_overdue is_corrupt is_corrupted is_unreachable".split(
    " ",
  ),
);
const isFlag = (name: string): boolean => goodFlags.has(name) || badFlags.has(name);
const flagValue = /^(?:true|false|yes|no|t|f|y|n|✓|✔|✅|✗|✘|❌)$/i;
const judgeGoodFlag = says(/^(?:false|no|f|n|✗|✘|❌)$/i, 7);
const judgeBadFlag = says(/^(?:true|yes|t|y)$/i, 7);

const fewDays = 7;
const daysLeft = new Set("days days_left days_remaining remaining_days expires_in expire_in valid_for".split(" "));
/** `-12 days`, `3d`; a bare number in a column of days. */
const judgeDaysLeft: JudgeCell = (cell) => {
  const [, days] = /^(-?\d{1,5})(?: ?d(?:ays?)?)?(?: (?:left|remaining))?$/i.exec(cell) ?? [];
  return days !== undefined && Number(days) < fewDays && (/d/i.test(cell) || Number(days) < 0) ? 6 : 0;
};

const leastBehind = 300;
/** A replica that does not know how far it is behind, or is minutes behind. */
const judgeBehind: JudgeCell = (cell) => (/^null$/i.test(cell) ? 7 : numberIn(cell) >= leastBehind ? 6 : 0);

/** `SystemStatus`, `last_status`, `Zustand`, `sql_running`: what ends like a state is one. */
const judgeOf = (name: string): JudgeCell | undefined =>
  columns.get(name) ??
  (goodFlags.has(name)
    ? judgeGoodFlag
    : badFlags.has(name)
      ? judgeBadFlag
      : daysLeft.has(name)
        ? judgeDaysLeft
        : /seconds_behind/.test(name)
          ? judgeBehind
          : /_failed$|_(?:errno|error_?(?:number|code))$/.test(name)
            ? judgeFailed
            : /health$/.test(name)
              ? judgeHealth
              : /(?:state|status|result|outcome|verdict|zustand|ergebnis|état|statut|résultat|estado|resultado|stato|esito|состояние|статус)$/.test(
                    name,
                  )
                ? judgeState
                : /_(?:running|ready|healthy|available)$/.test(name)
                  ? judgeReady
                  : undefined);

/** Judged by no rule, but others look at them; a name says nothing of how a thing is. */
const otherColumns = new Set([
  ...usedColumns,
  ...waitingColumns,
  ...jobColumns,
  ..."name names unit send-q total desired duration starttype n_live_tup key filesystem reason message object last log-end-offset error info details paused suspended enabled".split(
    " ",
  ),
]);

/** Where one of these says how a thing is, only the free text beside it may say otherwise. */
const stateColumns = ["status", "state", "phase", "health", "active"];
const freeText = new Set(["reason", "message", "error", "info", "details"]);

interface TableColumn {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

interface TableHead {
  readonly line: string;
  readonly indent: number;
  readonly isBarred: boolean;
  /** A blank apart, as prose is: it is a head only as long as each row has as many words. */
  readonly isTight: boolean;
  readonly columns: readonly TableColumn[];
  /** Where any column begins. */
  readonly starts: readonly number[];
}

const longestHead = 600;
const headLine =
  /^[\s|]*(?:--[\s|]+)?(?:(?:[%#]?(?:\d{1,4}[KMGT]-)?\p{L}[\p{L}\d%_.,/:-]*(?:\([A-Za-z0-9%]+\))?[:#]?|\([\p{L}\d%=-]{1,20}\)|[%/\p{So}])(?:[\s|]+|$))+$/u;

/** `runningCount` is how many are running. */
const plainName = (name: string): string => name.replace(/(?<=desired|running|ready|available)[_-]?count$/, "");

/** `# name,status,weight`, and its rows with bars in place of commas. */
const commaHead = /^#?\s?[A-Za-z_]\w*(?:,[A-Za-z_]\w*){2,40}$/;
const barred = (line: string): string => line.replace(/^#\s?/, "").replaceAll(",", " | ");

/** Between bars a name may have several words; if none knows them, its last one counts. */
const barredNames = (line: string): readonly TableColumn[] =>
  [...line.matchAll(/[^|]+/g)].flatMap(({ 0: cell, index }) => {
    const text = cell.trim();
    const whole = plainName(text.toLowerCase());
    const last = /\S+$/.exec(whole)?.[0] ?? "";
    const name = judgeOf(whole) !== undefined || otherColumns.has(whole) ? whole : last;
    const from = index + cell.indexOf(text);
    return text === "" ? [] : { name, from, to: from + text.length };
  });

/** The head of a table whose columns say how things are; undefined for other lines. Within a table only capitals begin another. */
function headOf(line: string, isWithin: boolean): TableHead | undefined {
  if (line.length > longestHead || !headLine.test(line)) return undefined;
  const isBarred = / \| /.test(line);
  const words = [...line.matchAll(/[^\s|]+/g)];
  const isCapital = words.every(([word]) => word === word.toUpperCase());
  // `last_status<tab>Primary` is a name and its value.
  const isPair = words.length === 2 && !isCapital && judgeOf(words[1]?.[0].toLowerCase() ?? "") === undefined;
  if (words.length < 2 || (isPair && !otherColumns.has(words[1]?.[0].toLowerCase() ?? ""))) return undefined;
  if (isWithin && !isCapital) return undefined;
  const all = isBarred
    ? barredNames(line)
    : words.flatMap(({ 0: word, index }, at) => {
        // `MEM %`
        const share = words[at + 1]?.[0] === "%" ? "%" : "";
        return word === "%"
          ? []
          : { name: plainName((word + share).toLowerCase()), from: index, to: index + word.length + 2 * share.length };
      });
  const judged = all.filter(({ name }) => judgeOf(name) !== undefined);
  if (judged.length === 0) return undefined;
  // Values name no column.
  if (words.some(([word]) => /^(?:true|false|yes|no|none|n\/a)$/i.test(word))) return undefined;
  const found = all.filter((column) => judged.includes(column) || otherColumns.has(column.name));
  // `| crm | available | db.r6g.large |`: a row may say of a thing what a head says of a column.
  const isRow = isBarred && found.length === 1 && words.some(([word]) => /\d/.test(word) && /\w[.:/-]\w/.test(word));
  if (isRow && /^(?:ready|available|running|healthy|online|active)$/.test(found[0]?.name ?? "")) return undefined;
  // A flag's name is an ordinary word, too: `web-1 up`.
  const isFlags = judged.every(({ name }) => isFlag(name)) && (words.length < 3 || !/^[\p{L}_\s|-]+$/u.test(line));
  if (isFlags) return undefined;
  // A barred table centers its names.
  if (isBarred) return { line, indent: 0, isBarred, isTight: false, columns: found, starts: [] };
  // Prose names a column too, but has no gaps as wide, and no sign of percent.
  const isWide =
    /\S {2,}\S/.test(line) ||
    found.some(({ name }) => name.includes("%")) ||
    all.filter(({ name }) => /\w[._]\w/.test(name)).length > 2;
  const isTitled = words.length > 2 && words.every(([word]) => /^\p{Lu}/u.test(word));
  const isLoose = isCapital ? isWide || found.length > 2 : isWide && (found.length > 1 || words.length > 3 || isTitled);
  const isTight = !isLoose && (isCapital || isTitled) && !isWithin && line === line.trim();
  const starts = all.map(({ from }) => from);
  return isLoose || isTight
    ? { line, indent: line.search(/\S/), isBarred, isTight, columns: found, starts }
    : undefined;
}

/** `TX: bytes packets errors` below the rows of `RX: bytes packets errors`. */
function repeats(head: string, line: string): boolean {
  const [label = "", ...names] = head.split(/\s+/);
  const [own = "", ...others] = line.split(/\s+/);
  return label.endsWith(":") && own.endsWith(":") && names.length > 1 && others.join(" ") === names.join(" ");
}

const ruler = /^[\s|+:=-]+$/;

/** The head above a line of dashes. Each group of dashes shows where a column begins and ends, also below names that are one blank apart. */
function underlined(line: string, dashes: string): TableHead | undefined {
  if (line.length > longestHead || !/^\s*-{2,}(?: +-{2,})+\s*$/.test(dashes)) return undefined;
  const columns = [...dashes.matchAll(/-+/g)].map(({ 0: group, index }) => ({
    name: plainName(
      line
        .slice(index, index + group.length)
        .trim()
        .toLowerCase(),
    ),
    from: index,
    to: index + group.length,
  }));
  const found = columns.filter(({ name }) => judgeOf(name) !== undefined || otherColumns.has(name));
  if (!found.some(({ name }) => judgeOf(name) !== undefined)) return undefined;
  return { line, indent: 0, isBarred: false, isTight: false, columns: found, starts: columns.map(({ from }) => from) };
}

/** Whether a field of a description, such as `Status: CA_UNREACHABLE`, says that something is wrong. */
export const isBadField = (name: string, value: string): boolean => {
  const [part = ""] = /(?:status|state|health|phase|_running|_connected|behind\w*)$/i.exec(name) ?? [];
  if (part === "") return false;
  if (part.startsWith("_")) return /^(?:no|false|connecting|off)\b/i.test(value);
  if (/^behind/i.test(part)) return judgeBehind(value.trim(), new Map()) > 0;
  return /(?:^|[\s_.-])$/.test(name.slice(0, -part.length)) && badState.test(value);
};

interface TableCell extends TableColumn {
  readonly text: string;
}

/** The cell under a column: it begins or ends as the name does, or stands between the same bars. */
function cellUnder(line: string, head: TableHead, column: TableColumn, bars: string): TableCell | undefined {
  if (head.isBarred) {
    // By its place among the bars; a bar within a text makes more of them.
    const own = [...line.matchAll(/\|/g)].map(({ index }) => index);
    const place = bars.slice(0, column.from).split("|").length - 1;
    const isSame = own.length === bars.split("|").length - 1;
    const from = isSame ? (own[place - 1] ?? -1) + 1 : bars.lastIndexOf("|", column.from) + 1;
    const end = isSame ? (own[place] ?? -1) : bars.indexOf("|", column.from);
    const text = line.slice(from, end === -1 ? undefined : end);
    return { name: column.name, from, to: from + text.length, text: text.trim() };
  }
  const isStart = (at: number): boolean => /\S/.test(line[at] ?? "") && (at === 0 || /\s/.test(line[at - 1] ?? ""));
  if (isStart(column.from)) {
    const text = /^\S+(?: \S+)*/.exec(line.slice(column.from))?.[0] ?? "";
    // Where cells are a blank apart, the next column's begin ends this one.
    const next = head.starts.find((at) => at > column.from && at < column.from + text.length && isStart(at));
    const isLast = column.from === head.starts.at(-1) && freeText.has(column.name);
    const own = isLast
      ? line.slice(column.from).trimEnd()
      : next === undefined
        ? text
        : text.slice(0, next - column.from).trimEnd();
    return { name: column.name, from: column.from, to: column.from + own.length, text: own };
  }
  const from = line.lastIndexOf(" ", column.to - 1) + 1;
  const isRight = from < column.to && column.to <= line.length && !/\S/.test(line[column.to] ?? "");
  if (isRight) return { name: column.name, from, to: column.to, text: line.slice(from, column.to) };
  // Where it stands under no column, a row with as many cells as the head says which is which.
  for (const cell of [/\S+/g, /\S+(?: \S+)*/g]) {
    const names = [...head.line.matchAll(cell)];
    const own = [...line.matchAll(cell)];
    const place = names.findIndex(({ 0: text, index }) => index === column.from && index + text.length === column.to);
    const { 0: text = "", index = 0 } = own[place] ?? {};
    if (place !== -1 && own.length === names.length)
      return { name: column.name, from: index, to: index + text.length, text };
  }
  return undefined;
}

/** `Leader: none	Replicas: 2,3	Isr: 2`: a row that names its columns itself. */
const fieldsIn = (line: string): readonly TableCell[] =>
  line.length > longestHead || !/: .*\t/.test(line)
    ? []
    : [...line.matchAll(/(?<=^|\t)(?<name>[\p{L}][\p{L} ]{0,30}): (?<text>[^\t]*)/gu)].map(
        ({ 0: whole, index, groups }) => ({
          name: (groups?.name ?? "").toLowerCase(),
          from: index + whole.length - (groups?.text ?? "").length,
          to: index + whole.length,
          text: (groups?.text ?? "").trim(),
        }),
      );

/** Reads tables by their heads, line by line (AR-15): the same columns mean the same in any tool's. Holds one head. */
export function createTableReader(): (line: string) => TableLine {
  let head: TableHead | undefined;
  let bars = "";
  /** `\d jobs`: its rows name columns, not how anything is. */
  let isSchema = false;
  /** Columns of a table with commas. */
  let commas = 0;
  let last = "";
  /** How many bars the rows of a table without a head have, after one that ended in `ok`. */
  let okBars = 0;
  return (given) => {
    isSchema = /^\W*column\W+type\b/i.test(given) || (isSchema && /^[\s+|-]*$|\|/.test(given));
    if (isSchema) return { kind: "head" };
    const fields = fieldsIn(given);
    if (fields.length > 2 && fields.some(({ name }) => judgeOf(name) !== undefined))
      return { kind: "row", ...judgeRow(given, fields) };
    const drawn = /[─-╿]/.test(given)
      ? given.replace(/[│┃║]/g, "|").replace(/[─━═]/g, "-").replace(/[┌-╿]/g, "+")
      : given;
    commas = commaHead.test(drawn)
      ? drawn.split(",").length
      : commas > 0 && drawn.split(",").length >= commas && !/,\s/.test(drawn)
        ? commas
        : 0;
    const line = commas > 0 ? barred(drawn) : drawn.trimStart().includes("\t") ? drawn.replaceAll("\t", " | ") : drawn;
    const indent = line.search(/\S/);
    // `Mem:   15990`: a row's label stands before its columns.
    const isLabelled = /^\w{1,30}:\s{2,}\d/.test(line);
    const above = last;
    last = line;
    const under = underlined(above, line);
    if (under) {
      head = under;
      bars = above;
      return { kind: "head" };
    }
    const isRuler = head !== undefined && ruler.test(line);
    if (head && !isRuler && (indent === -1 || (indent < head.indent - 2 && !isLabelled))) head = undefined;
    const next =
      commas > 0 && !commaHead.test(drawn) ? undefined : headOf(line, head !== undefined && !repeats(head.line, line));
    if (next) {
      head = next;
      bars = line;
      return { kind: head.isTight ? "other" : "head" };
    }
    if (head === undefined) {
      const cells = line.length > longestHead ? [] : line.split("|");
      const ending = cells.at(-1)?.trim() ?? "";
      if (cells.length < 3 || (okBars !== cells.length && ending !== "ok")) {
        okBars = 0;
        return { kind: "other" };
      }
      okBars = cells.length;
      const from = line.lastIndexOf("|") + 1;
      return { kind: "row", ...judgeRow(line, [{ name: "status", from, to: line.length, text: ending }]) };
    }
    if (head.isTight && line.trim().split(/\s+/).length !== head.line.split(" ").length) {
      head = undefined;
      return { kind: "other" };
    }
    if (isRuler) {
      // What is underlined stands where its head does, also if rows begin before it.
      head = { ...head, indent: 0 };
      return { kind: "head" };
    }
    const open = head;
    const cells = open.columns.flatMap((column) => cellUnder(line, open, column, bars) ?? []);
    return cells.length > 0 || markOf(line) !== undefined
      ? { kind: "row", ...judgeRow(line, cells) }
      : { kind: "other" };
  };
}

/** How systemd marks a unit, and chrony a source, that is not as it should be. */
const markOf = (line: string): string | undefined =>
  /\bnot-found\s+inactive\s+dead\b/.test(line)
    ? undefined
    : /^(?:[●×✗](?= )|[\^=#][?x](?= \S{1,80}\s+\d))/.exec(line)?.[0];

const noTrouble = (line: string): TableRow => ({
  weight: 0,
  at: 0,
  rest: " ".repeat(line.length),
  name: undefined,
  says: "",
  age: undefined,
  like: line,
});

function judgeRow(line: string, cells: readonly TableCell[]): TableRow {
  // The first of a name: `used soft hard` stands twice in the quotas of disk and files.
  const row: RowCells = new Map(cells.toReversed().map(({ name, text }) => [name, text]));
  let [weight, at, rest, said] = [0, 0, line, ""];
  // It is switched off.
  if (/^(?:no|false|off)$/i.test(row.get("enabled") ?? "")) return noTrouble(line);
  if (stateColumns.some((name) => row.has(name))) {
    // A reason stands in brackets behind all columns.
    const reason = /\([a-z][^()]*\)$/.exec(line)?.index ?? line.length;
    rest = " ".repeat(reason) + line.slice(reason);
    for (const { name, from, to } of cells)
      if (freeText.has(name)) rest = rest.slice(0, from) + line.slice(from, to) + rest.slice(to);
  }
  for (const { name, text, from, to } of cells) {
    if (isFlag(name) && !flagValue.test(text)) continue;
    const judge = judgeOf(name);
    if (judge || name === "name" || name === "unit")
      rest = rest.slice(0, from) + " ".repeat(to - from) + rest.slice(to);
    const wanted = wantedOf(name, row);
    const isAsWanted = wanted?.toLowerCase() === text.toLowerCase();
    const told = judge === undefined || wantedColumn.test(name) || isAsWanted ? 0 : judge(text, row);
    const judged = wanted === undefined || isAsWanted ? told : Math.max(told, 5);
    if (judged > weight) [weight, at, said] = [judged, from, text];
  }
  const mark = weight === 0 ? markOf(line) : undefined;
  if (mark !== undefined) [weight, at, said] = [6, 0, row.get("load") ?? mark];
  const says = [said, row.get("reason") ?? ""].filter((one) => one !== "").join(" ");
  const name = row.get("object") ?? row.get("name") ?? row.get("unit") ?? row.get("names");
  const kind = /^[^/]{1,60}(?=\/)/.exec(row.get("object") ?? "")?.[0] ?? "";
  const like = [says, kind, (row.get("message") ?? "").replace(/\S*\d\S*/g, "N")].join("|");
  return { weight, at, rest, says, name, age: secondsSince(row.get("last")), like };
}
