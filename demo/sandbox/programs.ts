import type { Program } from "./program.ts";
import { dmesg, groups, hostname, id, nproc, sudo, uname, who, whoami } from "./programs/identity.ts";
import { journalctl } from "./programs/journalctl.ts";
import { crontab, dig, getent, iostat, last, nc } from "./programs/lookups.ts";
import { curl, ip, ping, ss } from "./programs/network.ts";
import { openssl } from "./programs/openssl.ts";
import { free, kill, pgrep, ps, top, uptime, vmstat } from "./programs/processes.ts";
import { bash, ls, sort, tail } from "./programs/shell-tools.ts";
import { df, du, logrotate, lsblk, lsof, mount, truncate } from "./programs/storage.ts";
import { systemctl } from "./programs/systemctl.ts";

/** What every machine of the sandbox has besides the shell library's own text tools. */
export const programs: Readonly<Record<string, Program>> = {
  bash,
  crontab,
  curl,
  df,
  dig,
  dmesg,
  du,
  free,
  getent,
  groups,
  host: dig,
  hostname,
  id,
  iostat,
  ip,
  journalctl,
  kill,
  last,
  logrotate,
  ls,
  lsblk,
  lsof,
  mount,
  nc,
  netstat: ss,
  nproc,
  nslookup: dig,
  openssl,
  pgrep,
  ping,
  ps,
  sh: bash,
  sort,
  ss,
  sudo,
  systemctl,
  tail,
  top,
  truncate,
  uname,
  uptime,
  vmstat,
  w: who,
  who,
  whoami,
};
