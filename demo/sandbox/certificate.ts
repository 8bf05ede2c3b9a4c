/** The facts of an imagined certificate; its PEM carries them instead of ASN.1, which only our own openssl reads. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly names: readonly string[];
}

export const writePem = (certificate: Certificate): string => {
  const body =
    Buffer.from(JSON.stringify(certificate))
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...body, "-----END CERTIFICATE-----", ""].join("\n");
};

/** The first certificate of a text, undefined where there is none that we wrote. */
export const readPem = (text: string): Certificate | undefined => {
  const body = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(text)?.[1];
  if (body === undefined) return undefined;
  try {
    const facts = JSON.parse(Buffer.from(body.replaceAll(/\s/g, ""), "base64").toString("utf8"));
    return { ...facts, notBefore: new Date(facts.notBefore), notAfter: new Date(facts.notAfter) };
  } catch {
    return undefined; // Somebody wrote another text there; openssl then says it cannot load it.
  }
};
