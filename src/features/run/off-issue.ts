import type { Ending } from "../../base/run.ts";
import type { Run } from "../../store/runs.ts";
import { roughSize } from "../../text/rough-size.ts";

/**
 * All that a public issue is told of an output; the operator's store has the rest (SR-11). The agent that answers there learns no
 * more: whatever it is told, it may repeat. The hash is that of the redacted text, and the size is rough: by the exact ones of
 * what the server said whoever can guess a short secret could prove it (SR-49).
 */
export const offIssue = ({ bytes, redactedSha256 }: Pick<Run, "bytes" | "redactedSha256">): string =>
  bytes === null || bytes === 0
    ? ""
    : `${roughSize(bytes)}, kept off this public issue; SHA-256 when redacted ${redactedSha256}`;

/** The same of what a command has said so far. */
export const soFarOffIssue = (soFar: string): string =>
  soFar === "" ? "" : "what it says is kept off this public issue";

/** The same of how it ended: what it asks for is a line of its output. */
export const endingOffIssue = (ending: Ending): Ending =>
  ending.kind === "waiting-for-input" ? { ...ending, asks: "a question that is kept off this public issue" } : ending;
