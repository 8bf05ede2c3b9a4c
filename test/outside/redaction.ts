/**
 * Holds redaction against the examples of other scanners of secrets, which are fetched and never committed:
 * `node --import ./check-node.mjs test/outside/redaction.ts FOLDER... [--all]`. A folder is a checkout of gitleaks/gitleaks,
 * praetorian-inc/noseyparker, mongodb/kingfisher, trufflesecurity/trufflehog, Yelp/detect-secrets, Samsung/CredSweeper, logpai/loghub,
 * leaktk/fake-leaks or Plazmaz/leaky-repo; of the last two a file counts as hidden if something in it is. Prints of each how
 * many secrets were hidden, with and without what a person would call a stand-in, and how many texts without one stayed as
 * they are; with `--all` what was missed and what was taken.
 */
import { basename } from "node:path";
import { createRedactor } from "../../src/text/redact.ts";
import { type Example, examplesIn, isMadeUp } from "./redaction-sets.ts";

const redact = createRedactor();

/** A PEM's edges stay: what stands between them is the secret. */
const core = (secret: string): string => secret.replace(/-{4,6}(?:BEGIN|END) [^-\n]*-{4,6}/g, "").trim();

/** What of an example's secrets is still to be read. */
function missed({ text, secrets }: Example): readonly string[] {
  const redacted = redact(text);
  if (!redacted.ok) return [];
  const isLeft = (part: string): boolean => core(part) !== "" && redacted.text.includes(core(part));
  return secrets.filter((parts) => parts.every(isLeft)).map((parts) => parts.join(" "));
}

const isStandIn = ({ secrets }: Example): boolean => secrets.flat().some((part) => isMadeUp(core(part)));

function taken({ text }: Example): string | undefined {
  const redacted = redact(text);
  return redacted.ok && redacted.text === text ? undefined : redacted.ok ? redacted.text : redacted.reason;
}

const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;

const folders = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
if (folders.length === 0) {
  console.error("Which folder? node --import ./check-node.mjs test/outside/redaction.ts FOLDER... [--all]");
  process.exit(2);
}
for (const folder of folders) {
  const examples = examplesIn(folder);
  const [positives, negatives] = [true, false].map((wanted) =>
    examples.filter(({ secrets }) => secrets.length > 0 === wanted),
  );
  const misses = (positives ?? []).map((one) => ({ ...one, left: missed(one) })).filter(({ left }) => left.length > 0);
  const takings = (negatives ?? []).flatMap((one) => {
    const out = taken(one);
    return out === undefined ? [] : [{ ...one, out }];
  });
  const hidden = (all: readonly Example[], left: readonly Example[]): string =>
    share(all.length - left.length, all.length);
  const drawn = [positives ?? [], misses].map((list) => list.filter((one) => !isStandIn(one)));
  console.log(`${basename(folder)}: hidden ${hidden(positives ?? [], misses)},`);
  console.log(
    `  without stand-ins ${hidden(drawn[0] ?? [], drawn[1] ?? [])}, kept ${hidden(negatives ?? [], takings)}`,
  );
  if (!process.argv.includes("--all")) continue;
  for (const one of misses)
    console.log(JSON.stringify([isStandIn(one) ? "stand-in" : "missed", one.from, one.left, one.text.slice(0, 400)]));
  for (const { from, text, out } of takings)
    console.log(JSON.stringify(["taken", from, text.slice(0, 400), out.slice(0, 400)]));
}
