import type { Server } from "../base/server.ts";

/** Keeps a command from starting a pager, which would wait for a key nobody presses (AR-07). */
const pagerVariables = "PAGER=cat SYSTEMD_PAGER= GIT_PAGER=cat TERM=dumb";

/** What stands before every command line of ours: the entry's PATH, no pager, none of the account's start-up files. */
export const environmentOf = (server: Server): string =>
  `env -u BASH_ENV -u ENV PATH=${quote(server.path)} ${pagerVariables}`;

/** One POSIX word; plain where the text needs no quotes, so that people can read it. */
export function quote(text: string): string {
  return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
