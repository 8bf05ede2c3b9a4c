import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import type { ProcessRole } from "../../base/roles.ts";
import type { Gaps } from "../../config/keep.ts";
import type { ParsedFile } from "../../config/schema.ts";
import type { Config } from "../../config/values.ts";

/** A line of `check`'s table. */
export interface CheckLook {
  readonly name: string;
  readonly said: string;
  readonly problems?: readonly Problem[];
  /** What works but is likely not meant. */
  readonly warnings?: readonly Problem[];
  /** `said` has the reason. */
  readonly skipped?: boolean;
}

type CheckLooks = Iterable<CheckLook> | AsyncIterable<CheckLook>;

export interface KnownConfig {
  readonly config: Config;
  readonly gaps: Gaps;
}

/** To add one, write its file and add it to `kinds` (check.ts). */
export interface ConfigLookKind {
  readonly name: string;
  /** By default all (SR-55). */
  readonly roles?: readonly ProcessRole[];
  /** If one has a gap, the look is left out, because it could be wrong. */
  readonly restsOn: readonly (keyof ParsedFile | `github.${string}`)[];
  readonly showsProgress?: true;
  readonly look: (known: KnownConfig, waiting: (what: string) => void) => CheckLooks | Promise<CheckLooks>;
}

export interface CheckedFolder {
  readonly folder: string;
  /** Closed incidents to replay here and in `base`. */
  readonly incidents?: string | undefined;
  /** Before the change. */
  readonly base?: string | undefined;
}

export interface FolderLookKind {
  readonly name: string;
  readonly lookAtFolder: (
    checked: CheckedFolder,
    known: KnownConfig | undefined,
    print: (line: string) => void,
  ) => CheckLooks;
}

/** Turns an error into a finding, so that it hides no other. */
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

/** For a look left out because of gaps. */
export const waitsFor = (name: string, lacking: readonly string[]): CheckLook => {
  const parts = lacking.map((part) => `\`${part}\``).join(", ");
  return { name, said: `not looked at before the config's ${parts} can be used`, skipped: true };
};

/** `warning`: works, but is likely not meant. */
export type CheckFinding = Problem & { readonly severity: "error" | "warning" };

/** Errors first. */
export const checkFindings = ({ problems = [], warnings = [] }: CheckLook): readonly CheckFinding[] => [
  ...problems.map((problem) => ({ ...problem, severity: "error" as const })),
  ...warnings.map((problem) => ({ ...problem, severity: "warning" as const })),
];
