import { spawnSync } from "node:child_process";
import { kubectlVerbs } from "../../src/kubernetes/kubectl-verbs.ts";

/** What the kubectl of this machine says of a verb. */
export const kubectlHelp = (verb: string): string =>
  spawnSync("kubectl", [...verb.split(" "), "--help"], { encoding: "utf8", env: { HOME: "/nowhere" } }).stdout;

/** The flags of our tables that the help does not have, or has of another kind: kubectl writes `--watch=false`, `--output=''`. */
export function flagsNotIn(helpOf: (verb: string) => string): readonly string[] {
  return Object.entries(kubectlVerbs).flatMap(([verb, { flags }]) => {
    const help = helpOf(verb);
    return [...flags].flatMap(([spelled, { name, values }]) => {
      const [, short = "", fallback = ""] = new RegExp(`^ +(-\\w)?,? *${name}=(.*):$`, "m").exec(help) ?? [];
      const takesValue = fallback !== "" && !/^(?:true|false)$/.test(fallback) && !optional.includes(name);
      const isThere = fallback !== "" && (spelled === name || spelled === short);
      return isThere && takesValue === values > 0 ? [] : [`${verb} ${spelled}`];
    });
  });
}

/** They may stand alone, and then the next word is not their value. */
const optional = ["--dry-run", "--cascade"];
