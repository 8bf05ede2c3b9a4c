/** Kinds of characters a token is made of: small letters, capitals, digits, all else. */
const lower = 1;
const upper = 2;
const digit = 4;
const other = 8;

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 97 && unit <= 122) return lower;
  if (unit >= 65 && unit <= 90) return upper;
  return unit >= 48 && unit <= 57 ? digit : other;
}

/** How many kinds of characters the token has, and how often neighbours differ in kind: words change seldom. */
function kindsOf(token: string): { readonly count: number; readonly changes: number } {
  let seen = 0;
  let changed = 0;
  let previous = 0;
  for (let at = 0; at < token.length; at++) {
    const kind = kindAt(token, at);
    seen |= kind;
    if (at > 0 && kind !== previous) changed++;
    previous = kind;
  }
  const count = (seen & lower) + ((seen & upper) >> 1) + ((seen & digit) >> 2) + ((seen & other) >> 3);
  return { count, changes: changed / Math.max(1, token.length - 1) };
}

export const classCount = (token: string): number => kindsOf(token).count;

const counts = new Uint32Array(256);

/** Shannon entropy of the token's own characters, bits a character; the unit's low byte stands for the character. */
export function entropy(token: string): number {
  counts.fill(0);
  for (let at = 0; at < token.length; at++) {
    const unit = token.charCodeAt(at) & 0xff;
    counts[unit] = (counts[unit] ?? 0) + 1;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}

const uuid = /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i;
const hex = /^(?:0x)?[0-9a-f]+$/i;
const stamp = /^[\dTZ:.,+_/-]+$/;

export const isUuid = (token: string): boolean => uuid.test(token);

/** One sign again and again in a key's place: `ghp_xxxxxxxxxxxx`. */
export const isStandIn = (token: string): boolean =>
  /([xX0-9A*#.])\1{7}|(.)\2{15}/.test(token) &&
  token.replace(/(.)\1{3,}/g, "").replace(/[^A-Za-z0-9]/g, "").length <= 10;

/** Things that look drawn and are public: ids, digests, times, addresses, key fingerprints, Exim's messages (the first digit is the time's). */
export const isPublicId = (token: string): boolean =>
  isUuid(token) ||
  stamp.test(token) ||
  /^[1-3][A-Za-z\d]{5}-(?:[A-Za-z\d]{6}-[A-Za-z\d]{2}|[A-Za-z\d]{11}-[A-Za-z\d]{4})(?:-[DHJ])?$/.test(token) ||
  /^(?:age1[a-z\d]{58}|[ACNOUX][A-Z2-7]{55})$/.test(token) ||
  /^(?:sha\d{1,3}|md5|SHA256|h1|blake\w*)[:-]/i.test(token) ||
  /^(?:GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}|(?:CVE|RUSTSEC|PYSEC|GO|OSV|RHSA|DSA|USN)-\d{4}-\d{2,7}(?:-\d{1,3})?)$/.test(
    token,
  );

/** Letters of one case with digits here and there: no word looks like that. */
const isDense = (token: string): boolean =>
  /^(?:[a-z\d]{28,}|[A-Z\d]{20,})$/.test(token) && (token.match(/\d+/g)?.length ?? 0) >= 2 && entropy(token) >= 3.2;

/**
 * Stricter, for places that say little: one token of the letters that keys are written in, with digits among them; no path,
 * address, assignment, version or dotted name.
 */
export const looksLikeKey = (token: string): boolean =>
  /^[A-Za-z0-9+/_.~%-]{12,}={0,2}$/.test(token) &&
  // The name of a pod or an object: words between its dashes.
  !/(?:^|-)[a-z]{5,}-(?:[a-z\d-]*-)?[a-z]{5,}(?:-|$)/.test(token) &&
  !/^(?:[\w-]+\.)+[a-z]\w*$|^[^A-Z]*\/[^A-Z]*$|^\.{0,2}\/|\/.*[-.].*\/|[a-z]-\d+(?:\.\d+)+$/.test(token) &&
  /\d/.test(token) &&
  (looksRandom(token, 12) || isDense(token)) &&
  (hex.test(token) || isDense(token) || classCount(token.replace(/[^A-Za-z0-9]/g, "")) === 3 || token.length >= 24);

/** Whether a token looks drawn at random rather than written by a person as a word, name, path or number. */
export function looksRandom(token: string, least = 8): boolean {
  const sample = token.slice(0, 256);
  if (sample.length < least || isPublicId(sample) || /^\//.test(sample)) return false;
  if (hex.test(sample)) return sample.length >= 16 && /\d/.test(sample) && /[a-f]/i.test(sample);
  if (/^[a-z]+(?:[-_./][a-z]+)*$/i.test(sample) && sample.length < 20) return false;
  const { count, changes } = kindsOf(sample);
  if (count < 2 || changes < 0.2) return false;
  return entropy(sample) >= Math.min(3.6, Math.log2(sample.length) * 0.78);
}

/** No generator of passwords gives more signs. */
export const mostDrawn = 96;

/** Few words have four consonants in a row. */
const words = /(?![A-Za-z]*[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{4})(?:[A-Z]?[a-z]{3,}|[A-Z]{4,})|\d{4,}/g;

/** Letters, digits and signs in no order, as a generator of passwords gives them; code and templates are made of words. */
export function isDrawnPassword(written: string): boolean {
  if (written.length < 8 || written.length > mostDrawn) return false;
  const value = written.replace(/&(?:amp|lt|gt|quot|apos);/g, "&");
  return (
    !/\s|^[a-z][a-z\d+.-]*:\/\/|\[\^|\[[^\]]*(?:0-9|a-[fz])[^\]]*\]/i.test(value) &&
    (classCount(value) >= (/^[~.]*\//.test(value) ? 4 : 3) || new Set(value.replace(/\w/g, "")).size >= 5) &&
    2 * value.replace(words, "").length > value.length
  );
}

/** No word of a sentence, path, address or number: digits or signs, or letters of both cases in its midst. */
export const isDrawn = (secret: string): boolean =>
  /\d|[^\w.,;:/-]|[a-z][A-Z]/.test(secret) &&
  !/^\d{1,5}[,;.]?$|^\d+(?:\.\d+){2,3}|^\.{0,2}\/|^[a-z]+:\/\/|^<|^[a-z]+(?:[-_./][a-z0-9]+)*[-_./]v?\d+[a-z]?$/.test(
    secret,
  );

/** A name in code or of a file: words for the most part, and few digits (`X509WorkloadIdentity`, `fromBase64`). Nothing drawn is. */
export function isOfNames(token: string): boolean {
  if (!/^[\w$.:/#@-]+$/.test(token)) return false;
  const letters = token.replace(/[^A-Za-z]/g, "").length;
  const inWords = (token.match(/[A-Z][a-z]{2,}|[a-z]{3,}|[A-Z]{3,}(?![a-z])/g) ?? [])
    .filter((one) => (/[aeiouy]/i.test(one) || /^[A-Z]{3,5}$/.test(one)) && !/[bcdfghjklmnpqrstvwxz]{5}/i.test(one))
    .reduce((sum, { length }) => sum + length, 0);
  return inWords >= 4 && inWords * 4 >= letters * 3 && token.replace(/\D/g, "").length * 3 <= letters;
}
