import { syslogTime } from "./clock.ts";
import type { JournalLine, Machine } from "./machine.ts";

/** One line as `journalctl` and `systemctl status` print it. */
export const formatLine = (machine: Machine, line: JournalLine): string => {
  const who = line.source === "kernel" ? "kernel" : `${line.source}[${line.pid}]`;
  return `${syslogTime(line.at)} ${machine.name} ${who}: ${line.text}`;
};
