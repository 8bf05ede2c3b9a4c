import { type EmulatedGitHub, type Seed, startGitHub } from "../../emulator/start.ts";
import { generatePrivateKey } from "../../emulator/wire/tokens.ts";

/** The App's key in each GitHub of this process: to make one takes as long as to start the rest of an emulated GitHub. */
export const appKey = generatePrivateKey();

const permissions = { issues: "write", metadata: "read", contents: "read", members: "read" };

/** An emulated GitHub of which nobody hears: a repository, an administrator, and an App; `changes` say otherwise. */
export const startQuietGitHub = (changes: Partial<Seed> = {}): Promise<EmulatedGitHub> =>
  startGitHub({
    app: { id: 7, slug: "countersign", privateKey: appKey, permissions },
    owner: "acme",
    repos: [{ name: "web", private: true, files: {} }],
    people: [{ login: "mona", role: "admin" }],
    webhook: { url: "http://127.0.0.1:9/api/github/webhooks", secret: "a-secret-for-this-test-only-0123456789" },
    ...changes,
  });
