import { expect, test } from "vitest";
import { findSettings } from "../../../src/text/redact/settings.ts";
import { replaceSpans, type Span } from "../../../src/text/redact/span.ts";
import { findKubernetesSecrets } from "../../../src/text/redact/structures/kubernetes.ts";
import { findPrivateKeys } from "../../../src/text/redact/structures/pem.ts";
import { findColumns } from "../../../src/text/redact/tables/columns.ts";
import { windowsOf } from "../../../src/text/redact/windows.ts";
import { createRedactor, type RedactionResult } from "../../../src/text/redact.ts";
import { fc } from "../../harness/chance.ts";

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const base64 = (at: number): string => `${"MIIEvQIBADANBgkqhkiG9w0BAQ".slice(at % 7)}${"AbC9".repeat(10)}`;

/** Each is longer than a window and its margins, or tells what it is only at one of its ends. */
const structures: Readonly<Record<string, string>> = {
  "a private key": `-----BEGIN PRIVATE KEY-----\n${lines(60, base64)}\n-----END PRIVATE KEY-----`,
  "a private key behind a log's prefixes": `app: -----BEGIN PRIVATE KEY-----\n${lines(30, (at) => `app[${at}]: ${base64(at)}`)}\napp: -----END PRIVATE KEY-----`,
  "a Secret that says so behind its data": `apiVersion: v1\ndata:\n${lines(60, (at) => `  field${at}: ${base64(at)}`)}\nkind: Secret\nmetadata:\n  name: a`,
  "a Secret in JSON": `{\n  "data": {\n${lines(60, (at) => `    "field${at}": "${base64(at)}"`)}\n  },\n  "kind": "Secret"\n}`,
  "a table": `id,name,password\n${lines(150, (at) => `${at},ann${at},horse-${at}-Battery`)}`,
  "a block of YAML": `tls_secret: |\n${lines(60, (at) => `  ${base64(at)}`)}`,
};

const look = (text: string): readonly Span[] =>
  [findPrivateKeys, findKubernetesSecrets, findColumns, findSettings].flatMap((find) => find(text));

const filler = (count: number): string => lines(count, (at) => `12:00:${at % 60} order ${at} was accepted`);

test.each(Object.entries(structures))("SR-45 %s is hidden as a whole, wherever a window would end", (_, structure) => {
  for (let before = 1; before < 150; before += 3) {
    const text = `${filler(before)}\n${structure}\n${filler(250)}\n`;
    const windows = [...windowsOf([text], look, { length: 1500, margin: 1000 })];
    expect(windows.length).toBeGreaterThan(1);
    const hidden = windows.map((window) => replaceSpans(window.text, window.spans).text).join("");
    expect(hidden).toBe(replaceSpans(text, look(text)).text);
  }
});

const joined = (pieces: readonly RedactionResult[]): string =>
  pieces.map((piece) => (piece.ok ? piece.text : piece.reason)).join("");

test("SR-45 a text in pieces becomes the same as the whole, wherever it is cut", () => {
  const redactor = createRedactor();
  const text = Object.values(structures).join(`\n${filler(9)}\n`);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = edges.slice(1).map((edge, at) => text.slice(edges[at], edge));
      const given = [...(redactor.inPieces?.(pieces) ?? [])];
      expect(joined(given)).toBe(joined([redactor(text)]));
    }),
    { numRuns: 15 },
  );
});
