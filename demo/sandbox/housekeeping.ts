/** A command that runs on the same connection, as the bot's stop script would find it in /proc. */
export interface Sibling {
  readonly end: (signal: string) => void;
  readonly ended: Promise<void>;
}

const order = /^exec sh -c 'L=; INDEX=(\d+); COUNT=(\d+); GRACE=\d+\s/;

/** Whether a line is the bot's script that ends a command, and no command itself (AR-08). */
export const isStopScript = (exec: string): boolean => order.test(exec);

/**
 * The bot ends a command by a script that looks for its process among its siblings. Here are no processes, so the script
 * is known by its head and answered with what it would have done: TERM to the INDEXth of COUNT, and its report.
 * Undefined for every other command.
 */
export const stopSibling = async (exec: string, siblings: readonly Sibling[]): Promise<string | undefined> => {
  const [, index, count] = order.exec(exec) ?? [];
  if (index === undefined) return undefined;
  if (siblings.length === 0) return "@countersign absent\n";
  const sibling = siblings.length === Number(count) ? siblings[Number(index)] : undefined;
  if (!sibling) return `@countersign unsure ${siblings.length}\n`;
  sibling.end("TERM");
  await sibling.ended;
  return "@countersign done\n";
};
