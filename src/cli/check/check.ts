import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { WriteStream } from "node:tty";
import { lookAtModel } from "../../agent/wire/request.ts";
import { pagerOf } from "../../alert/pagers.ts";
import { OperatorError, type Problem } from "../../base/errors.ts";
import { counted } from "../../base/words.ts";
import { surveyConfig } from "../../config/load.ts";
import { withoutPassword } from "../../config/secrets.ts";
import { readIds } from "../../github/app/check.ts";
import { checkPatchesAccess, checkPatchPlaces, type NamedPlace } from "../../github/app/patches-app.ts";
import { whyUnreachable } from "../../pager/tell.ts";
import { checkInventory } from "../../ssh/inventory.ts";
import { lookAtStore } from "../../store/database/migrate.ts";
import { code, plain } from "../../text/fence.ts";
import { rolesOf } from "../options.ts";
import { addressesLook, gitHubLook } from "./github.ts";
import {
  type CheckFinding,
  type CheckLook,
  type ConfigLookKind,
  checkFindings,
  type FolderLookKind,
  type KnownConfig,
  lookSafely,
  waitsFor,
} from "./look.ts";
import { filesLook, portLook } from "./machine.ts";
import { onCallLook } from "./oncall.ts";
import { policyLook } from "./policy.ts";
import { replayLook, repositoryLook } from "./repo.ts";
import { serversLook } from "./server.ts";

const modelLook: ConfigLookKind = {
  name: "model",
  roles: ["agent"],
  restsOn: ["model"],
  look: ({ config: { model } }) => {
    const name = "model";
    if (model.endpoints.length === 0) return [{ name, said: "none: the offline responder answers", skipped: true }];
    return Promise.all(
      model.endpoints.map(async (endpoint, index) => {
        const { said, fault, doubt } = await lookAtModel({ ...endpoint, apiKey: endpoint.apiKey ?? "" });
        const place = `model.endpoints.${index}`;
        const at = (one: typeof fault): readonly Problem[] => (one ? [{ place, ...one }] : []);
        return { name, said, problems: at(fault), warnings: at(doubt) };
      }),
    );
  },
};

const storeLook: ConfigLookKind = {
  name: "store",
  restsOn: ["store"],
  look: async ({ config: { store } }) => [
    { name: "store", said: withoutPassword(store.url), problems: await lookAtStore(store.url) },
  ],
};

const inventoryLook: ConfigLookKind = {
  name: "inventory",
  roles: ["runner"],
  restsOn: [],
  look: ({ config: { servers } }) => [
    { name: "inventory", said: counted(servers.size, "server"), problems: checkInventory(servers) },
  ],
};

/** Proves what can be proved without sending a pager an event: its key's form, at loading, and that its host answers. */
export const pagersLook: ConfigLookKind = {
  name: "pagers",
  roles: ["agent"],
  restsOn: ["alerts"],
  look: async ({ config }) => {
    const told = Object.entries(config.alerts.sources).flatMap(([name, { answer }]) =>
      answer ? [{ name, answer }] : [],
    );
    return Promise.all(
      told.map(async ({ name, answer: { pager, url, resolve } }) => {
        const { title, secret } = pagerOf(pager);
        const why = await whyUnreachable(url);
        const hears = resolve ? "approvals, `/ack` and `/close`" : "approvals and `/ack`";
        const said = `${title} hears of ${name}'s ${hears}; its ${secret.name} has the right form, and only an event would prove more`;
        const place = `alerts.sources.${name}.answer`;
        const remedy = "let this machine reach it, or its proxy";
        const problems = [{ place, message: `${new URL(url).host} does not answer: ${why}`, remedy }];
        return { name: "pagers", said, ...(why === undefined ? {} : { problems }) };
      }),
    );
  },
};

/** The second App's rights, and each repository of `patches`. */
export const patchesLook: ConfigLookKind = {
  name: "patches",
  roles: ["agent", "runner"],
  restsOn: ["patches", "github", "github.patches_app"],
  look: async ({ config }): Promise<readonly CheckLook[]> => {
    const { patchesApp, apiUrl } = config.github;
    if (!patchesApp) return [];
    const app = { ...patchesApp, apiUrl };
    const { slug, problems } = await checkPatchesAccess(app);
    const said = slug === undefined ? "not signed in" : `App ${slug}, which alone may write to repositories`;
    const places = [...config.servers.values()].flatMap(({ name, patches }): NamedPlace[] =>
      patches ? [[name, patches]] : [],
    );
    const seen = slug === undefined ? [] : await checkPatchPlaces({ ...app, slug }, places);
    return [{ name: "patches", said, problems }, ...seen];
  },
};

/** In the order of the table. */
const kinds: readonly (ConfigLookKind | FolderLookKind)[] = [
  gitHubLook,
  addressesLook,
  patchesLook,
  modelLook,
  storeLook,
  filesLook,
  portLook,
  policyLook,
  onCallLook,
  pagersLook,
  inventoryLook,
  serversLook,
  repositoryLook,
  replayLook,
];

/**
 * Checks all that an operator can get wrong, with GitHub and the servers for real. A mistake in the config hides only looks that rest on
 * it. Throws an `OperatorError` for contradictory options.
 */
export async function check(
  options: {
    readonly config?: string | undefined;
    readonly repo?: string | undefined;
    /** By the defaults, because pull requests cannot see the operator's file. */
    readonly onlyRepo?: boolean;
    /** Closed incidents to replay here and in `base`. */
    readonly incidents?: string | undefined;
    /** Before the change. */
    readonly base?: string | undefined;
    /** Separated by commas; all by default. */
    readonly role?: string | undefined;
  },
  print: (line: string) => void,
  waiting: (what: string) => void = () => {},
): Promise<readonly CheckFinding[]> {
  const { incidents, base } = options;
  if ((incidents === undefined) !== (base === undefined))
    throw new OperatorError({
      place: "--incidents, --base",
      message: "one was given without the other",
      remedy: "name the exported incidents and a checkout of what the change is held against",
    });
  const found: CheckFinding[] = [];
  const take = (look: CheckLook): void => {
    const { name, said, problems = [], warnings = [], skipped } = look;
    const sign = problems.length > 0 ? "✗" : warnings.length > 0 ? "!" : skipped ? "–" : "✓";
    found.push(...checkFindings(look));
    print(`${name.padEnd(12)} ${sign} ${said}`);
  };
  const roles = options.onlyRepo ? [] : rolesOf(options.role);
  let known: KnownConfig | undefined;
  if (!options.onlyRepo) {
    const survey = surveyConfig({ file: options.config, roles });
    known = survey.ok ? { config: survey.config, gaps: new Set() } : survey.rest;
    // A remedy names the missing id if the App can look it up.
    const found = survey.ok ? [] : survey.problems;
    const canAsk = known && !known.gaps.has("github.app_id") && !known.gaps.has("github.private_key_file");
    const logins = found.flatMap(({ login }) => login ?? []);
    const ids =
      canAsk && known && logins.length > 0 ? await readIds(known.config, logins).catch(() => undefined) : undefined;
    const problems = found.map(({ login = "", ...problem }) => {
      const id = ids?.get(login);
      if (id === undefined) return problem;
      const remedy =
        id === "nobody" ? `correct the login: GitHub has no ${login}` : `write { login: ${login}, id: ${id} }`;
      return { ...problem, remedy };
    });
    const { file = "cannot be read", warnings = [] } = known?.config ?? {};
    take({ name: "config", said: file, problems, warnings });
  }
  const folder = options.repo ?? (options.onlyRepo ? "." : undefined);
  for (const kind of kinds) {
    const { name } = kind;
    if ("lookAtFolder" in kind) {
      if (folder === undefined) continue;
      const checked = { folder, incidents, base };
      for await (const one of lookSafely(name, () => kind.lookAtFolder(checked, known, print))) take(one);
      continue;
    }
    const config = known;
    if (!config || kind.roles?.some((role) => roles.includes(role)) === false) continue;
    const lacking = kind.restsOn.filter((part) => config.gaps.has(part));
    if (lacking.length > 0) take(waitsFor(name, lacking));
    else {
      if (!kind.showsProgress) waiting(name);
      for await (const one of lookSafely(name, () => kind.look(config, waiting))) take(one);
    }
  }
  return found;
}

type CheckOptions = Parameters<typeof check>[0] & {
  readonly json?: boolean;
  /** For pull requests in GitHub Actions. */
  readonly annotate?: boolean;
  /** A file, appended as Markdown. */
  readonly summary?: string | undefined;
};

/** Prints the findings; false if something does not work. */
export async function reportCheck({ json, annotate, summary, ...options }: CheckOptions): Promise<boolean> {
  const root = options.repo ?? ".";
  let found: readonly CheckFinding[] = [];
  if (json) {
    found = await check(options, () => {});
    console.log(JSON.stringify(found, null, 2));
  } else if (annotate) {
    // Pull requests are untrusted: Actions must not run quoted lines as commands.
    const token = randomUUID();
    console.log(`::stop-commands::${token}`);
    try {
      found = await check(options, (line) => console.log(line));
      for (const finding of found) console.log(lineOf(finding));
    } finally {
      console.log(`::${token}::`);
    }
    for (const finding of found) console.log(annotationOf(finding, root));
  } else {
    const waiting = process.stderr.isTTY ? waitingLine(process.stderr) : undefined;
    const print = (line: string): void => {
      waiting?.clear();
      console.log(line);
    };
    found = await check(options, print, waiting?.show);
    waiting?.clear();
    for (const finding of found) console.error(lineOf(finding));
  }
  if (summary !== undefined) appendFileSync(summary, annotationSummary(found, root));
  return found.every(({ severity }) => severity === "warning");
}

const lineOf = ({ severity, place, message, remedy }: CheckFinding): string =>
  `${severity === "error" ? "✗" : "!"} ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`;

/** Shows the current wait. */
export function waitingLine(terminal: Pick<WriteStream, "write" | "columns">): {
  readonly show: (what: string) => void;
  readonly clear: () => void;
} {
  const clear = (): void => void terminal.write("\r\u001b[2K");
  const show = (what: string): void => {
    clear();
    // A wrapped line is cleared only in part; some terminals report no width.
    terminal.write(`${what} …`.slice(0, (terminal.columns || 80) - 1));
  };
  return { show, clear };
}

/** A workflow command of GitHub Actions; paths are relative to `root`, the checkout. */
export function annotationOf({ severity, place, message, remedy }: CheckFinding, root: string): string {
  const at = locate(place, root);
  const where = Object.entries({ file: at?.path, line: at?.line, col: at?.column, title: at ? "Countersign" : place });
  const properties = where.flatMap(([name, value]) =>
    value ? [`${name}=${escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`] : [],
  );
  return `::${severity} ${properties.join(",")}::${escapeData(remedy ? `${message} — ${remedy}` : message)}`;
}

const mostRows = 200;
const signs = { error: "❌", warning: "⚠️" } as const;

/** Renders Markdown; text from the repository is escaped. */
export function annotationSummary(found: readonly CheckFinding[], root: string): string {
  const head = "### Countersign check\n\n";
  if (found.length === 0) return `${head}Nothing is wrong.\n`;
  const rows = found.slice(0, mostRows).map(({ severity, place, message, remedy = "" }) => {
    const at = locate(place, root);
    const where = at ? [at.path, at.line].filter(Boolean).join(":") : place;
    // A bar ends a cell, even in a code span.
    return `| ${[signs[severity], code(where), plain(message), plain(remedy)].map((markdown) => markdown.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  });
  const left = found.length - rows.length;
  const more = left > 0 ? [`| | | and ${left} more, in the log | |`] : [];
  return `${head}${["| | where | what | do |", "|---|---|---|---|", ...rows, ...more].join("\n")}\n`;
}

interface Location {
  readonly path: string;
  readonly line: string | undefined;
  readonly column: string | undefined;
}

/** Undefined if the place is no file below the root. */
function locate(place: string, root: string): Location | undefined {
  const [, path = place, line, column] = /^(.+?)(?::(\d+)(?::(\d+))?)?$/s.exec(place) ?? [];
  const inside = relative(resolve(root), resolve(path));
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside) || !existsSync(resolve(path))) return undefined;
  return { path: inside.split(sep).join("/"), line, column };
}

/** By actions/toolkit's command.ts; otherwise a text could end or begin a command. */
const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
