import type { WriteStream } from "node:tty";
import { check } from "./check.ts";
import type { Finding } from "./look.ts";

type CheckOptions = Parameters<typeof check>[0] & { readonly json?: boolean };

/** Checks and says what was found, as people or programs read it; false where something does not work. */
export async function reportCheck({ json = false, ...options }: CheckOptions): Promise<boolean> {
  const found = json ? await check(options, () => {}) : await reportToPeople(options);
  if (json) console.log(JSON.stringify(found, null, 2));
  return found.every(({ severity }) => severity === "warning");
}

async function reportToPeople(options: CheckOptions): Promise<readonly Finding[]> {
  const waiting = process.stderr.isTTY ? waitingLine(process.stderr) : undefined;
  const print = (line: string): void => {
    waiting?.clear();
    console.log(line);
  };
  const found = await check(options, print, waiting?.show);
  waiting?.clear();
  for (const { severity, place, message, remedy } of found)
    console.error(`${severity === "error" ? "✗" : "!"} ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`);
  return found;
}

/** One line of a terminal that tells what is being waited for, and is gone when there is more to say. */
export function waitingLine(terminal: Pick<WriteStream, "write" | "columns">): {
  readonly show: (what: string) => void;
  readonly clear: () => void;
} {
  const clear = (): void => void terminal.write("\r\u001b[2K");
  const show = (what: string): void => {
    clear();
    // A line that wraps is cleared only in part. Some terminals do not tell how wide they are.
    terminal.write(`${what} …`.slice(0, (terminal.columns || 80) - 1));
  };
  return { show, clear };
}
