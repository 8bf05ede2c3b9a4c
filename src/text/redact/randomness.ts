/** Kinds of characters a token is made of. */
const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/] as const;

export const classCount = (token: string): number => classes.filter((pattern) => pattern.test(token)).length;

/** Shannon entropy of the token's own characters, bits a character. */
export function entropy(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}

/** How often neighbours are of different kinds: words change seldom, drawn tokens at about every second character. */
function changes(token: string): number {
  const kinds = [...token].map((character) => classes.findIndex((pattern) => pattern.test(character)));
  let changed = 0;
  for (let at = 1; at < kinds.length; at++) if (kinds[at] !== kinds[at - 1]) changed++;
  return changed / Math.max(1, token.length - 1);
}

const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;
const hex = /^(?:0x)?[0-9a-f]+$/i;
const stamp = /^[\dTZ:.,+_/-]+$/;

/** Things that look drawn and are public: ids, digests, times, addresses, key fingerprints. */
export const isPublicId = (token: string): boolean =>
  uuid.test(token) || stamp.test(token) || /^(?:sha\d{1,3}|md5|SHA256|h1|blake\w*)[:-]/i.test(token);

/**
 * Stricter, for places that say little: one token of the letters that keys are written in, with digits among them; no path,
 * address, assignment, version or dotted name.
 */
export const looksLikeKey = (token: string): boolean =>
  /^[A-Za-z0-9+/_.~%-]{12,}={0,2}$/.test(token) &&
  !/^(?:[\w-]+\.)+[a-z]\w*$|^\.{0,2}\/|\/.*[-.].*\//.test(token) &&
  /\d/.test(token) &&
  looksRandom(token, 12) &&
  (hex.test(token) || classCount(token.replace(/[^A-Za-z0-9]/g, "")) === 3 || token.length >= 24);

/** Whether a token looks drawn at random rather than written by a person as a word, name, path or number. */
export function looksRandom(token: string, least = 8): boolean {
  const sample = token.slice(0, 256);
  if (sample.length < least || isPublicId(sample) || /^\//.test(sample)) return false;
  if (hex.test(sample)) return sample.length >= 16 && /\d/.test(sample) && /[a-f]/i.test(sample);
  if (/^[a-z]+(?:[-_./][a-z]+)*$/i.test(sample) && sample.length < 20) return false;
  const wanted = Math.min(3.6, Math.log2(sample.length) * 0.78);
  return classCount(sample) >= 2 && entropy(sample) >= wanted && changes(sample) >= 0.2;
}
