import ssh2 from "ssh2";

/** A fresh ed25519 key pair. ssh2 1.17 writes about one in 250 so that it cannot read it itself: draw again. */
export function ed25519Pair(
  options: { passphrase: string; cipher: "aes256-ctr"; rounds: number } | undefined = undefined,
) {
  for (;;) {
    const pair = options
      ? ssh2.utils.generateKeyPairSync("ed25519", options)
      : ssh2.utils.generateKeyPairSync("ed25519");
    const readable = [ssh2.utils.parseKey(pair.private, options?.passphrase), ssh2.utils.parseKey(pair.public)];
    if (readable.every((key) => !(key instanceof Error))) return pair;
  }
}
