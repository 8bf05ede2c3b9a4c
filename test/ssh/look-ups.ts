import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knownAs, linesFor, parseKnownHosts } from "../../src/ssh/keys/host-keys.ts";
import { type Chance, createChance, seed } from "../harness/chance.ts";
import { missing } from "../harness/missing.ts";
import { ed25519Pair } from "./keys.ts";

export const key = ed25519Pair().public.split(" ").slice(0, 2).join(" ");

/** The numbers of the lines that we find. */
export const numbersOf = (text: string, name: string): number[] =>
  linesFor(parseKnownHosts(text), name).map(({ line }) => line);

const labels = ["web", "db", "a", "web1", "b-2", "x"];
const domains = ["", ".example.com", ".example.org", ".a.b"];
const addresses = ["10.0.0.1", "10.0.0.12", "192.168.7.1", "2001:db8::1", "::1", "fe80::a"];

const hostOf = (random: Chance): string =>
  random.next() < 0.25 ? random.pick(addresses) : `${random.pick(labels)}${random.pick(domains)}`;

const nameOf = (random: Chance): string => knownAs({ host: hostOf(random), port: random.pick([22, 22, 2222, 443]) });

/** A host's name, spoilt here and there: wildcards for letters, upper case, a negation. */
function patternOf(random: Chance): string {
  const letters = [...nameOf(random)].map((letter) => (random.next() < 0.1 ? random.pick(["*", "?", "*"]) : letter));
  const pattern = random.next() < 0.1 ? "*" : letters.join("");
  const cased = random.next() < 0.2 ? pattern.toUpperCase() : pattern;
  return random.next() < 0.15 ? `!${cased}` : cased;
}

function hashOf(random: Chance): string {
  const salt = Buffer.from(Array.from({ length: 20 }, () => random.below(256)));
  const mac = createHmac("sha1", salt).update(nameOf(random)).digest("base64");
  return `|1|${salt.toString("base64")}|${mac}`;
}

function lineOf(random: Chance): string {
  if (random.next() < 0.08) return random.pick(["", "# a comment", "   ", "#web1 ssh-ed25519 AAAA"]);
  const patterns = Array.from({ length: 1 + random.below(4) }, () => patternOf(random));
  const hosts = random.next() < 0.3 ? hashOf(random) : patterns.join(",");
  const marker = random.next() < 0.15 ? random.pick(["@revoked ", "@cert-authority "]) : "";
  const gap = random.pick([" ", "\t", "  "]);
  return `${marker}${hosts}${gap}${key}${random.pick(["", " root@host", "\tsome words"])}`;
}

export const keygen = ["/usr/bin/ssh-keygen", "/usr/local/bin/ssh-keygen"].find((path) => existsSync(path));
if (keygen === undefined) missing("ssh-keygen", "known_hosts: no look-ups were compared (apt install openssh-client)");

/** The numbers of the lines that OpenSSH finds. */
export const found = (file: string, name: string): Promise<number[]> =>
  new Promise((resolve) => {
    execFile(keygen as string, ["-F", name, "-f", file], (_error, out) => {
      resolve([...out.matchAll(/^# Host .* found: line (\d+)/gm)].map(([, line]) => Number(line)));
    });
  });

/** Looks so many generated names up in generated files, by ssh-keygen and by us. */
export async function compareLookUps(
  count: number,
): Promise<{ readonly differences: unknown[]; readonly hits: number }> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-look-ups-"));
  const random = createChance(seed);
  const cases = Array.from({ length: count }, (_, index) => {
    const text = Array.from({ length: 1 + random.below(30) }, () => lineOf(random)).join(random.pick(["\n", "\r\n"]));
    const file = join(folder, `known-${index}`);
    writeFileSync(file, text);
    return { file, text, name: nameOf(random) };
  });
  const differences: unknown[] = [];
  let hits = 0;
  const inTurns = [0, 1, 2, 3].map(async (turn) => {
    for (const { file, text, name } of cases.filter((_, index) => index % 4 === turn)) {
      const theirs = await found(file, name);
      const ours = numbersOf(text, name);
      if (theirs.length > 0) hits++;
      if (ours.join() !== theirs.join()) differences.push({ name, ours, theirs, text });
    }
  });
  await Promise.all(inTurns);
  rmSync(folder, { recursive: true });
  return { differences, hits };
}
