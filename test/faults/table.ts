import { crashPoints } from "../../src/base/crash-point.ts";

/** The fault table and the crash points of docs/requirements.md, in words: each is to be proved by tests that bear its name. */
const faults: Readonly<Record<string, string>> = {
  "F-01": "the same GUID 20 times in parallel",
  "F-02": "the same comment under a new GUID",
  "F-03": "/approve before the event that opened the issue",
  "F-04": "a webhook that was lost",
  "F-05": "killed after the inbox commit, before the 2xx",
  "F-06": "killed after the 2xx, before the work",
  "F-07": "a body of 60 MB, a slow one, one that never ends",
  "F-08": "a comment stored, its answer lost",
  "F-09": "a comment lost before it was stored",
  "F-10": "a secondary limit with retry-after",
  "F-11": "GitHub's limit used up",
  "F-12": "the permission API fails",
  "F-13": "a token that is refused",
  "F-14": "GitHub down while a command runs",
  "F-15": "the issue deleted, closed, locked or moved while a command runs",
  "F-16": "the model overloaded, late or refusing",
  "F-17": "the model says junk, a megabyte, without end, or calls tools",
  "F-18": "the model's budget spent",
  "F-19": "the database locked or gone for a while",
  "F-20": "the disk full at the commit of the intent",
  "F-21": "the database corrupt at start",
  "F-22": "the audit cannot be written",
  "F-23": "the audit's last line torn by a power cut",
  "F-24": "SSH into a black hole",
  "F-25": "a changed host key",
  "F-26": "a refused login",
  "F-27": "a reset before the reply to exec",
  "F-28": "a reset in mid-output",
  "F-29": "a command that hangs",
  "F-30": "a child that survives its command",
  "F-31": "1 GB of output, binary, one long line",
  "F-32": "an exit by a signal",
  "F-33": "the bot killed while a command runs",
  "F-34": "two instances of the bot",
  "F-35": "an instance that stood still for ten minutes",
  "F-36": "the clock set an hour on or back",
  "F-37": "yesterday's database restored",
  "F-38": "a redactor that fails or meets its limit",
  "F-39": "the approver loses the right before the dispatch",
  "F-40": "1,000 incidents in a minute",
  "F-41": "SIGTERM while a command runs",
  "F-42": "a changed config that is invalid",
};

/** In the order in which they are told. */
export const proofs: readonly (readonly [id: string, words: string])[] = [
  ...Object.entries(faults),
  ...Object.entries(crashPoints).map(([id, words]) => [id, `killed when ${words}`] as const),
];

/** Stands in the name of a test that proves one. */
export const anyProof = /\b(?:F-\d\d|CP\d\d)\b/;

/** The faults that a test's full name says it proves. */
export const provedBy = (name: string): readonly string[] => [
  ...new Set(Array.from(name.matchAll(new RegExp(anyProof, "g")), ([id]) => id)),
];
