import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { whyAttended } from "../../../src/risk/unattended.ts";

const evaluate = createEvaluator({ egress: ["*.internal"] });
const verdictOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" });
const riskOf = (command: string) => verdictOf(command).risk;
type Rows = readonly (readonly [command: string, risk: string])[];

describe("PA-7 what looks like a read of the host and acts is not low", () => {
  const environments: Rows = [
    ["ps 1 e", "medium"],
    ["ps u 4242 ewww", "medium"],
    ["PS_FORMAT=pid,environ ps -A", "medium"],
    ["ps aux", "low"],
    ["ps -p 4242 -o lstart,cmd", "low"],
  ];
  const options: Rows = [
    ["needrestart -l", "medium"],
    ["needrestart -q -l -v", "medium"],
    ["needrestart -r a", "medium"],
    ["needrestart -r l", "low"],
    ["needrestart -b", "low"],
    ["needrestart -k", "low"],
    ["cpupower monitor -i5 reboot", "medium"],
    ["reboot -w", "medium"],
    ["bpftrace x.bt -- -l", "medium"],
    ["bpftrace x.bt -l", "medium"],
    ["bpftrace -l 'tracepoint:*'", "low"],
    ["perf stat -e ./probe.o -a sleep 1", "medium"],
    ["perf stat --event=/srv/x.c sleep 1", "medium"],
    ["perf stat -e cache-misses,cycles -a sleep 1", "low"],
    ["pldd 42", "medium"],
    ["py-spy dump -n --pid 42", "medium"],
    ["py-spy dump --nonblocking --pid 42", "low"],
    ["rc-service nginx status start", "medium"],
    ["service postgresql status 15 main", "low"],
    ["restorecon -nRv /srv", "low"],
    ["restorecon -v /srv/x", "medium"],
    ["sv once app status", "medium"],
    ["sv d list", "medium"],
    ["sv status app", "low"],
    ["hdparm -r1 /dev/sda", "medium"],
    ["hdparm -r /dev/sda", "low"],
    ["smartctl -P show /dev/sda", "low"],
    ["smartctl -P ignore /dev/sda", "medium"],
    ["ipmitool -I lanplus -H bmc.internal -U admin -P x power status", "low"],
    ["supervisorctl -c /tmp/x status", "medium"],
    ["supervisorctl -c /etc/supervisord.conf status", "low"],
  ];
  const volumes: Rows = [
    ["losetup -l /dev/loop0 /srv/x.img", "medium"],
    ["losetup -O NAME /dev/loop3 disk.img", "medium"],
    ["losetup -l", "low"],
    ["losetup /dev/loop0", "low"],
    ["lvm pvscan --cac", "medium"],
    ["lvm vgscan --mkn", "medium"],
    ["lvm dumpconfig -f /srv/x", "medium"],
    ["lvm lvs -a -o +devices", "low"],
    ["lvm lvmconfig --type=diff", "low"],
  ];
  const packages: Rows = [
    ["brew outdated", "medium"],
    ["npm ci --dry-run", "medium"],
    ["npm install --dry-run", "low"],
    ["nala history undo 3", "medium"],
    ["nala history", "low"],
    ["rpm --querytags", "low"],
    ["zypper install --dry-run nginx", "low"],
    ["zypper install nginx", "medium"],
  ];
  it.each([...environments, ...options, ...volumes, ...packages])("%j is %s", (command, risk) =>
    expect(riskOf(command)).toBe(risk),
  );

  it.each([
    ["sfdisk -l --delete /dev/sda"],
    ["sfdisk -d --relocate gpt-bak-std /dev/sda"],
    ["mdadm -D --stop /dev/md0"],
    ["mdadm --examine --kill-subarray=0 /dev/md0"],
    ["e2fsck -n -c /dev/sda1"],
  ])("%s is high: what destroys unless it is told to look is told more", (command) =>
    expect(riskOf(command)).toBe("high"),
  );

  it.each(["btrfs replace status /srv", "tload", "head -n 1 /dev/zero"])("%s never runs unattended", (command) =>
    expect(whyAttended(verdictOf(command))).toBeDefined(),
  );
  it.each(["btrfs replace status -1 /srv", "head -c 512 /dev/zero", "head -n 3 /dev/urandom"])("%s may", (command) =>
    expect(whyAttended(verdictOf(command))).toBeUndefined(),
  );
});
