import { createHash, createPrivateKey, sign } from "node:crypto";
import type { Browser, Page } from "playwright-core";

/** What is wrong with a signature that is made by hand; nothing unless said otherwise. */
interface Forgery {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId?: string;
  /** False: the authenticator says that it verified nobody. */
  readonly uv?: boolean;
}

export interface Approver {
  readonly page: Page;
  /** Opens a link, presses its button, and resolves with what the page then says. */
  readonly press: (link: string, look?: (name: string) => Promise<void>) => Promise<string>;
  /** Signs by hand with the key that the authenticator made: what an attacker with that key's device could send. */
  readonly sign: (forgery: Forgery) => Promise<object>;
}

let counter = 1_000_000;

/** A person with a phone: a narrow browser of their own whose authenticator is Chromium's virtual one. */
export async function createApprover(browser: Browser, colorScheme: "light" | "dark" = "light"): Promise<Approver> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme });
  const page = await context.newPage();
  const device = await context.newCDPSession(page);
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const status = page.getByRole("status");
  return {
    page,
    press: async (link, look) => {
      await page.goto(link);
      await look?.("before");
      await page.getByRole("button").click();
      await status.filter({ hasText: /\.$|:/ }).waitFor();
      await look?.("after");
      return (await status.textContent()) ?? "";
    },
    sign: async ({ challenge, origin, rpId = "localhost", uv = true }) => {
      const [key] = (await device.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
      if (!key) throw new Error("the authenticator has no key");
      const count = Buffer.alloc(4);
      count.writeUInt32BE(++counter);
      const flags = Buffer.from([uv ? 0b101 : 0b001]);
      const data = Buffer.concat([createHash("sha256").update(rpId).digest(), flags, count]);
      const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
      const privateKey = createPrivateKey({ key: Buffer.from(key.privateKey, "base64"), format: "der", type: "pkcs8" });
      const algorithm = privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      const id = Buffer.from(key.credentialId, "base64").toString("base64url");
      const response = {
        authenticatorData: data.toString("base64url"),
        clientDataJSON: client.toString("base64url"),
        signature: sign(algorithm, signed, privateKey).toString("base64url"),
      };
      return { id, rawId: id, type: "public-key", response };
    },
  };
}
