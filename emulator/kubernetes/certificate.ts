import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** DER (X.690): tag, length, content. */
function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const time = (date: Date): Buffer =>
  tlv(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));

const commonName = oid("550403");
const subjectAltName = oid("551d11");
const basicConstraints = oid("551d13");
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const isTrue = tlv(0x01, Buffer.from([0xff]));
const dayMs = 86_400_000;

/** A certificate authority of its own that is also the server's certificate, for 127.0.0.1 and localhost, for two days. In PEM. */
export function createCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tlv(0x31, sequence(commonName, tlv(0x0c, Buffer.from("emulated cluster")))));
  const names = sequence(tlv(0x87, Buffer.from([127, 0, 0, 1])), tlv(0x82, Buffer.from("localhost")));
  const tbs = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(Date.now() - dayMs)), time(new Date(Date.now() + dayMs))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(
      0xa3,
      sequence(
        sequence(subjectAltName, tlv(0x04, names)),
        sequence(basicConstraints, isTrue, tlv(0x04, sequence(isTrue))),
      ),
    ),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", tbs, privateKey));
  const der = sequence(tbs, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
