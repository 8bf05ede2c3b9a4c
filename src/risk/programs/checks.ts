/** The named checks that records refer to: languages and orders of words that a table cannot say. */
import type { Check } from "../engine/apply.ts";
import { bang, carries, make, secondWritten } from "./consoles.ts";
import { docker, kubectlRun } from "./containers.ts";
import { deviceConsole, family } from "./families.ts";
import { chmod, copy, dd, mount, move, partition, remove, tar } from "./files.ts";
import { fd, find } from "./find.ts";
import { git } from "./git.ts";
import { interpreter } from "./interpreters.ts";
import { mongo } from "./mongo.ts";
import { curl, listen, rsync, socat, sshCopy, tlsClient } from "./network.ts";
import { bus, containerStop, kill, unit } from "./processes.ts";
import { ansible, remoteMany, salt } from "./remote.ts";
import { hands } from "./runners.ts";
import { crontab, schedule } from "./schedules.ts";
import { pwsh, runsText, shell, sourceFile, trap } from "./shells.ts";
import { alias, apt, audit, ip, kubeSecrets, multiplexer, piped, tee } from "./small.ts";
import { redis, sqlClient } from "./sql.ts";
import { awk, secretSearch, sed } from "./text-tools.ts";
import { xargs } from "./xargs.ts";

// biome-ignore format: filled to the width
export const checks: Readonly<Record<string, Check>> = {
  alias, ansible, apt, audit, awk, bang, bus, carries, chmod, containerStop, copy, crontab, curl, dd, deviceConsole,
  docker, family, fd, find, git, hands, interpreter, ip, kill, kubeSecrets, kubectlRun, listen, make, mongo, mount,
  move, multiplexer, partition, piped, pwsh, redis, remoteMany, remove, rsync, runsText, salt, schedule,
  secondWritten, secretSearch, sed, shell, socat, sourceFile, sqlClient, sshCopy, tar, tee, tlsClient, trap, unit,
  xargs,
};
