/** Kubernetes' protobuf, as far as kubectl insists on it: what it asks of itself (`auth can-i`). Answers may be JSON. */

const magic = Buffer.from("k8s\0");

/** The fields of a message that hold bytes, by number; the last of each. */
function fieldsOf(message: Buffer): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) varint();
    else if (wire === 2) {
      const length = varint();
      fields.set(tag >> 3, message.subarray(at, at + length));
      at += length;
    } else throw new Error(`a field of wire type ${wire} is not known here`);
  }
  return fields;
}

/** Reads the verb and the resource of a SelfSubjectAccessReview in protobuf; undefined where the body is JSON. */
export function readAccessReview(body: Buffer): { readonly verb: string; readonly resource: string } | undefined {
  if (!body.subarray(0, 4).equals(magic)) return undefined;
  const inner = (message: Buffer | undefined, field: number) => (message ? fieldsOf(message).get(field) : undefined);
  const attributes = inner(inner(inner(body.subarray(4), 2), 2), 1);
  const text = (field: number): string => inner(attributes, field)?.toString("utf8") ?? "";
  return { verb: text(2), resource: text(5) };
}
