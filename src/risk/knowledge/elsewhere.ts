/** Programs that do little but hand a command on: to a container, a guest, another host, or every host of a job. */
import type { Program } from "../program.ts";
import { elsewhere, signsIn } from "./facts.ts";

// biome-ignore format: filled to the width
export const elsewherePrograms: readonly Program[] = [
  { id: "elsewhere.container",
    names: "toolbox distrobox distrobox-enter lima lxc-attach lxc-execute jexec zlogin schroot vzctl flatpak-spawn " +
      "adb udocker",
    rows: [
      elsewhere("toolbox adb", "run enter shell exec-out exec-in", 0),
      elsewhere("distrobox vzctl udocker", "enter exec exec2 run", 1),
      elsewhere("lima lxc-attach lxc-execute flatpak-spawn", "", 0),
      { names: "schroot", unless: " (-\\w*[li]|--list|--info) ", does: { is: "runs-elsewhere", operand: 0 } },
      elsewhere("jexec zlogin distrobox-enter", "", 1),
      { names: "toolbox distrobox", words: "list", level: "low" },
      { names: "adb", words: "devices version get-state", level: "low" },
      { names: "vzctl", words: "status", level: "low" },
      { names: "schroot", words: "-l --list -i --info", level: "low" },
      { names: "toolbox distrobox udocker vzctl", words: "rm rmi delete destroy stop", level: "high" },
      { names: "adb", words: "reboot uninstall root", level: "high" },
    ],
    match: { low: ["toolbox list", "toolbox run id", "lxc-attach -n web -- id", "schroot -l"],
      medium: ["toolbox enter", "jexec 1"], high: ["toolbox rm x", "zlogin web rm -rf /srv/x"],
      block: ["toolbox run rm -rf /"] } },
  { id: "elsewhere.host",
    names: "tsh mco bolt mussh rsh mosh fab docker-machine eb copilot plink dbclient kitchen vmrun aws-vault winexe " +
      "nix nix-shell",
    level: "medium",
    options: { value: "-l -i -p -P -H -h -u -U -pw -t -T -gu -gp --user --ssh -e --targets --proxy --cluster" },
    rows: [
      elsewhere("tsh docker-machine", "ssh", 1, signsIn),
      elsewhere("mco bolt", "shell_run command_run", 0, signsIn),
      elsewhere("mussh", "", undefined, { ...signsIn, after: "-c" }),
      elsewhere("rsh mosh plink dbclient winexe", "", 1, signsIn),
      elsewhere("fab", "", 0, signsIn),
      elsewhere("eb copilot kitchen", "ssh svc_exec task_exec job_exec exec", undefined,
        { ...signsIn, after: "-c --command" }),
      elsewhere("vmrun", "runProgramInGuest", 1),
      elsewhere("nix-shell", "", undefined, { after: "--run --command", level: "medium", why: "fetches and builds" }),
      { names: "nix", words: "develop shell", does: { is: "runs-argv", after: "-c --command" } },
      elsewhere("aws-vault", "exec", 1, { level: "medium", why: "gives a program secrets" }),
      { names: "tsh", words: "status ls version clusters apps_ls db_ls kube_ls", level: "low" },
      { names: "nix", words: "profile_list profile_history registry_list path-info", level: "low" },
      { names: "docker-machine", words: "rm kill stop", level: "high" },
      { names: "eb", words: "status health list events platform_list platform_show", level: "low" },
      { names: "eb", words: "terminate abort restore", level: "high" },
      { names: "vmrun", words: "stop reset deleteVM", level: "high" },
    ],
    match: { low: ["eb status shop-blue"],
      medium: ["eb deploy", "rsh web id", "tsh ssh root@web uptime"], high: ["mosh web -- rm -rf /srv/x"],
      block: ["bolt command run 'rm -rf /' -t web"] } },
  { id: "elsewhere.job", names: "srun salloc mpirun mpiexec orterun qrsh bsub jsrun", oneDash: true, level: "medium",
    why: "runs a command on many hosts",
    options: { value: "-np -n -c -N -p -A -t -J -w -G -x -H -host -hostfile -machinefile -q -R -l -P -W -M -pe " +
      "--nodes --ntasks --partition --account --time --job-name --nodelist --cpus-per-task --gres --mem --jobid " +
      "--hostfile --host --map-by --bind-to --oversubscribe",
      "path-write": "-o -e --output --error" },
    rows: [{ does: { is: "runs-elsewhere", operand: 0 } }],
    match: { medium: ["srun -N 4 hostname", "mpirun -np 4 hostname"], high: ["srun rm -rf /srv/x"],
      block: ["bsub rm -rf /"] } },
  { id: "elsewhere.root", names: "systemd-nspawn apptainer singularity ch-run proot arch-chroot", level: "medium",
    why: "starts a container",
    options: { value: "-D -i -M -u -E -p -r -b -w -B -H -m --directory --image --machine --user --bind --bind-ro " +
      "--setenv --chdir --property --pwd --home --env" },
    rows: [
      elsewhere("systemd-nspawn proot", "", 0),
      elsewhere("apptainer singularity", "exec run shell", 1),
      elsewhere("ch-run arch-chroot", "", 1),
      { names: "systemd-nspawn", words: "-b --boot", level: "medium" },
    ],
    match: { medium: ["systemd-nspawn -D /mnt id"], high: ["apptainer exec x.sif rm -rf /srv/x"],
      block: ["arch-chroot /mnt rm -rf /"] } },
];
