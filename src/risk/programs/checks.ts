/** The named predicates that rules refer to by `check`. */
import type { Check } from "../engine/apply.ts";
import { assigns, bang, bare, carries, console, make, secondWritten } from "./consoles.ts";
import { docker, kubectlRun } from "./containers.ts";
import { deviceConsole, family } from "./families.ts";
import { chmod, copy, dd, history, mount, move, parted, partition, remove, tar, truncate } from "./files.ts";
import { fd, find } from "./find.ts";
import { git } from "./git.ts";
import { interpreter } from "./interpreters.ts";
import { mongo } from "./mongo.ts";
import { curl, listen, rsync, socat, sshCopy, tlsClient } from "./network.ts";
import { bus, containerStop, kill, pipelineUnits, rc, service, systemctl } from "./processes.ts";
import { ansible, remoteMany, salt } from "./remote.ts";
import { hands } from "./runners.ts";
import { crontab, schedule } from "./schedules.ts";
import { pwsh, runsText, shell, sourceFile, trap } from "./shells.ts";
import {
  alias,
  apt,
  audit,
  ifconfig,
  ip,
  iptables,
  kubeSecrets,
  multiplexer,
  piped,
  scale,
  sysctl,
  tee,
} from "./small.ts";
import { redis, sqlClient } from "./sql.ts";
import { awk, secretSearch, sed } from "./text-tools.ts";
import { xargs } from "./xargs.ts";

export const checks: Readonly<Record<string, Check>> = {
  alias,
  ansible,
  apt,
  assigns,
  audit,
  bang,
  bare,
  bus,
  carries,
  awk,
  chmod,
  console,
  containerStop,
  copy,
  crontab,
  curl,
  dd,
  deviceConsole,
  docker,
  family,
  fd,
  find,
  git,
  hands,
  history,
  ifconfig,
  interpreter,
  ip,
  iptables,
  kill,
  kubeSecrets,
  kubectlRun,
  listen,
  make,
  mongo,
  mount,
  move,
  multiplexer,
  parted,
  partition,
  piped,
  pipelineUnits,
  pwsh,
  rc,
  redis,
  remoteMany,
  remove,
  rsync,
  runsText,
  salt,
  scale,
  schedule,
  secondWritten,
  sed,
  service,
  shell,
  socat,
  sourceFile,
  secretSearch,
  sqlClient,
  sshCopy,
  sysctl,
  systemctl,
  tar,
  tee,
  trap,
  tlsClient,
  truncate,
  xargs,
};
