import { lookAtModel } from "../../agent/wire/model-look.ts";
import { counted } from "../../base/counted.ts";
import { OperatorError, type Problem } from "../../base/errors.ts";
import { withoutPassword } from "../../config/database.ts";
import { surveyConfig } from "../../config/load.ts";
import { checkInventory } from "../../ssh/inventory.ts";
import { lookAtStore } from "../../store/database/look.ts";
import { rolesOf } from "../options.ts";
import { addressesLook, fillIds, gitHubLook } from "./github.ts";
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
import { replayLook } from "./replay.ts";
import { repositoryLook } from "./repo.ts";
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

/** In the order of the table. */
const kinds: readonly (ConfigLookKind | FolderLookKind)[] = [
  gitHubLook,
  addressesLook,
  modelLook,
  storeLook,
  filesLook,
  portLook,
  policyLook,
  onCallLook,
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
    const problems = await fillIds(survey.ok ? [] : survey.problems, known);
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
