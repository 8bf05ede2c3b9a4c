import { describe, expect, it } from "vitest";
import {
  type CodePage,
  codePages,
  createLiveReader,
  decodeCapture,
  detectEncoding,
  toUtf8,
} from "../../../src/ssh/windows/decode.ts";

function inPage(text: string, page: CodePage): Buffer | undefined {
  const bytes = [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 128 ? code : codePages[page].indexOf(character) + 128;
  });
  return bytes.includes(127) ? undefined : Buffer.from(bytes);
}

const read = (bytes: Uint8Array): string => Buffer.from(toUtf8(bytes)).toString("utf8");

/** As Windows' own programs write them. */
const outputs: readonly string[] = [
  "Verzeichnis von C:\\Users\\Müller\r\n",
  "Geräte-Manager\r\n",
  "Größe: 5 Bytes, Straße\r\n",
  "Der Befehl ist entweder falsch geschrieben oder konnte nicht gefunden werden: überprüfen\r\n",
  "más información\r\n",
  " El número de serie del volumen es: 1A2B-3C4D\r\n",
  "Le numéro de série du volume est 1A2B-3C4D\r\n",
  "L’opération a été annulée\r\n",
  "1\u00a0234\u00a0567 octets libres\r\n",
  "Não é possível localizar o arquivo\r\n",
  "Il volume nell'unità C è senza etichetta.\r\n",
  "señor, año\r\n",
  "Température 5 °C\r\n",
  "C:.\r\n├───bin\r\n│   └───net8\r\n└───src\r\n",
  "╔════╗\r\n║ ok ║\r\n╚════╝\r\n",
  "Zugriff verweigert – bitte “warten”\r\n",
  "Übertragung läuft\r\n",
  "Ikke gjenkjent: første åpning\r\n",
  "Kostar 5 €\r\n",
];

describe("the encoding of an output of Windows", () => {
  it.each(outputs)("AR-09 is found in each code page that can write it: %j", (text) => {
    const pages = Object.keys(codePages) as CodePage[];
    const written = pages.flatMap((page) => inPage(text, page) ?? []);
    expect(written.length).toBeGreaterThan(0);
    for (const bytes of written) expect(read(bytes)).toBe(text);
  });

  it.each([...outputs, "plain ASCII\r\n", "漢字 и кириллица\r\n"])("is kept in UTF-8: %j", (text) => {
    const bytes = Buffer.from(text);
    expect(toUtf8(bytes)).toBe(bytes);
    expect(read(Buffer.from(`\ufeff${text}`)).replace("\ufeff", "")).toBe(text);
  });

  it.each([...outputs, "漢字 ok\r\nand more of it\r\n", "Служба работает\r\nstate: 4 RUNNING\r\n"])(
    "is found in UTF-16, with and without its mark: %j",
    (text) => {
      const little = Buffer.from(text, "utf16le");
      expect(read(Buffer.concat([Buffer.from([0xff, 0xfe]), little]))).toBe(text);
      expect(read(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(little).swap16()]))).toBe(text);
      if (text.includes("─") || text.includes("═")) return;
      expect(read(little)).toBe(text);
    },
  );

  it("text of two bytes a character in the middle of other output is joined", () => {
    const bytes = Buffer.concat([
      Buffer.from("before\r\n"),
      Buffer.from("Ubuntu Running\r\n", "utf16le"),
      Buffer.from("after\r\n"),
    ]);
    expect(read(bytes)).toBe("before\r\nUbuntu Running\r\nafter\r\n");
  });

  it("what two code pages read differently, and nothing decides, is shown as unknown, never guessed", () => {
    expect(read(Buffer.from("x \x8e y", "latin1"))).toBe("x \ufffd y");
    expect(read(Buffer.from("\x84\x85\x86", "latin1"))).toMatch(/^\ufffd+$/);
  });

  it("stray bytes in UTF-8 leave it UTF-8", () => {
    expect(detectEncoding(Buffer.concat([Buffer.from("Größe für Müller"), Buffer.from([0xff])]))).toBe("utf-8");
  });

  it("bytes that are no text at all pass as they came", () => {
    const binary = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7) % 128 || 1));
    expect(toUtf8(binary)).toBe(binary);
  });

  it("is read while it comes, whatever the pieces", () => {
    const text = "Größe für Müller\r\nGeräte\r\n";
    const wide = Buffer.from(text, "utf16le");
    for (const bytes of [Buffer.from(text), wide, inPage(text, "cp850") ?? wide]) {
      for (const size of [16, 17, 1_000]) {
        const reader = createLiveReader();
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          reader(bytes.subarray(at * size, (at + 1) * size)),
        );
        expect(Buffer.concat(pieces).toString()).toBe(text);
      }
    }
  });

  it("SR-54 head and tail of a cut output are read alike, and hash and counts stay those of the bytes", () => {
    const wide = Buffer.from("first line\r\nsecond line\r\n", "utf16le");
    const capture = {
      head: wide.subarray(0, 20),
      tail: wide.subarray(27),
      bytes: wide.length,
      dropped: 7,
      sha256: "x",
    };
    const read = decodeCapture({ ...capture, pieces: { head: [capture.head], tail: [capture.tail] } });
    // Whoever reads in pieces must not get the bytes as they came.
    expect(read.pieces).toBeUndefined();
    expect(Buffer.from(read.head).toString()).toBe("first line");
    expect(Buffer.from(read.tail).toString()).toBe("econd line\r\n".slice(1));
    expect(read).toMatchObject({ bytes: wide.length, dropped: 7, sha256: "x" });
  });
});
