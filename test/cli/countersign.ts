import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line as a person or a script would, with nothing in the environment but a path and `env`. */
export function countersign(
  args: readonly string[],
  {
    input = "",
    env = {},
    readsOnce = false,
  }: {
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
    /** Its output is let go of once something has come, as `head` does. */
    readonly readsOnce?: boolean;
  } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [at("src/main.ts"), ...args], { env: { PATH: "/usr/bin:/bin", ...env } });
    const read = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      read.out += chunk;
      if (readsOnce) child.stdout.destroy();
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      read.err += chunk;
    });
    child.on("error", reject).on("close", (code) => resolve({ code, ...read }));
    // What it no longer wants to read.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
