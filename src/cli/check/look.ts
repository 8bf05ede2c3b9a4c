import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import type { ProcessRole } from "../../base/roles.ts";
import type { Gaps } from "../../config/keep.ts";
import type { Config } from "../../config/load.ts";
import type { ParsedFile } from "../../config/schema.ts";

/** One thing that `check` looked at: a line of its table, and a row of place, message and remedy for each mistake. */
export interface CheckLook {
  readonly name: string;
  /** What was seen, in a few words. */
  readonly said: string;
  /** What does not work. */
  readonly problems?: readonly Problem[];
  /** What works, and is likely not meant so. */
  readonly warnings?: readonly Problem[];
  /** It was not looked at; `said` has why. */
  readonly skipped?: boolean;
}

type CheckLooks = Iterable<CheckLook> | AsyncIterable<CheckLook>;

/** The config, or the usable part of one with problems. */
export interface KnownConfig {
  readonly config: Config;
  /** Empty for a config without problems. */
  readonly gaps: Gaps;
}

/** A kind of look at what the config names. To add one, write it in a file of its own and put it into `kinds` (check.ts). */
export interface ConfigLookKind {
  readonly name: string;
  /** The roles of a process that need it; all of them by default (SR-55). */
  readonly roles?: readonly ProcessRole[];
  /** Sections and keys of the config. If one has a gap, the look is left out, because its findings could be wrong. */
  readonly restsOn: readonly (keyof ParsedFile | `github.${string}`)[];
  /** It names what it waits for itself. */
  readonly showsProgress?: true;
  readonly look: (known: KnownConfig, waiting: (what: string) => void) => CheckLooks | Promise<CheckLooks>;
}

export interface CheckedFolder {
  /** A checked-out repository. */
  readonly folder: string;
  /** Closed incidents, to be replayed in the repository and in `base`. */
  readonly incidents?: string | undefined;
  /** The repository before the change. */
  readonly base?: string | undefined;
}

/** A kind of look at a checked-out repository, with the operator's config if there is one. */
export interface FolderLookKind {
  readonly name: string;
  readonly lookAtFolder: (
    checked: CheckedFolder,
    known: KnownConfig | undefined,
    print: (line: string) => void,
  ) => CheckLooks;
}

/** Makes an error of a look a finding, so that it hides no other. */
export async function* lookSafely(
  name: string,
  look: () => CheckLooks | Promise<CheckLooks>,
): AsyncGenerator<CheckLook> {
  try {
    yield* await look();
  } catch (error) {
    const unknown = { place: name, message: messageOf(error), remedy: "try again" };
    const problems = error instanceof OperatorError ? error.problems : [unknown];
    yield { name, said: "could not be looked at", problems };
  }
}

/** The line of a look that is left out because it rests on a part of the config that cannot be used. */
export const waitsFor = (name: string, lacking: readonly string[]): CheckLook => {
  const parts = lacking.map((part) => `\`${part}\``).join(", ");
  return { name, said: `not looked at before the config's ${parts} can be used`, skipped: true };
};

/** A mistake that the operator can correct. `error`: something does not work; `warning`: it works, and is likely not meant so. */
export type CheckFinding = Problem & { readonly severity: "error" | "warning" };

/** A look's findings, errors first. */
export const checkFindings = ({ problems = [], warnings = [] }: CheckLook): readonly CheckFinding[] => [
  ...problems.map((problem) => ({ ...problem, severity: "error" as const })),
  ...warnings.map((problem) => ({ ...problem, severity: "warning" as const })),
];
