import type { JournalLine, Machine, Service, Severity } from "./machine.ts";

/** What `systemctl` did, for the command line to word. */
export type Change = { readonly kind: "done" } | { readonly kind: "failed" } | { readonly kind: "cannot-reload" };

export const findService = (machine: Machine, name: string): Service | undefined =>
  machine.services.get(/\.(service|timer)$/.test(name) ? name : `${name}.service`);

const log = (
  machine: Machine,
  service: Service,
  line: Pick<JournalLine, "source" | "text"> & { severity?: Severity },
): void => {
  const pid = line.source === "systemd" ? 1 : service.pid;
  machine.journal.push({ severity: "info", ...line, at: machine.now(), unit: service.unit, pid });
};

const replace = (machine: Machine, service: Service, over: Partial<Service>): Service => {
  const changed = { ...service, ...over, since: machine.now() };
  machine.services.set(service.unit, changed);
  return changed;
};

const bare = (service: Service): string => service.unit.replace(/\.(service|timer)$/, "");

/** Starts a unit, or logs why it could not. The next pid is deterministic: tests and screenshots stay readable. */
export const startService = async (machine: Machine, service: Service): Promise<Change> => {
  const pid = Math.max(...[...machine.services.values()].map((s) => s.pid)) + 7;
  const starting = replace(machine, service, { pid });
  const verb = service.kind === "timer" ? "Started" : "Starting";
  log(machine, starting, { source: "systemd", text: `${verb} ${service.unit} - ${service.description}...` });
  const obstacles = await service.obstacles(machine);
  if (obstacles.length > 0) {
    for (const text of obstacles) log(machine, starting, { source: bare(service), severity: "err", text });
    const notice = (text: string, severity: Severity) => log(machine, starting, { source: "systemd", severity, text });
    notice(`${service.unit}: Main process exited, code=exited, status=1/FAILURE`, "notice");
    notice(`${service.unit}: Failed with result 'exit-code'.`, "warning");
    notice(`Failed to start ${service.unit} - ${service.description}.`, "err");
    replace(machine, starting, { state: "failed" });
    return { kind: "failed" };
  }
  for (const text of service.greeting) log(machine, starting, { source: bare(service), text });
  if (service.kind === "daemon") {
    log(machine, starting, { source: "systemd", text: `Started ${service.unit} - ${service.description}.` });
  }
  replace(machine, starting, { state: "active", cpuSeconds: 1 });
  await service.afterChange?.(machine, "start");
  return { kind: "done" };
};

export const stopService = async (machine: Machine, service: Service): Promise<Change> => {
  if (service.state !== "active") return { kind: "done" };
  log(machine, service, { source: "systemd", text: `Stopping ${service.unit} - ${service.description}...` });
  log(machine, service, { source: "systemd", text: `${service.unit}: Deactivated successfully.` });
  log(machine, service, { source: "systemd", text: `Stopped ${service.unit} - ${service.description}.` });
  replace(machine, service, { state: "inactive" });
  await service.afterChange?.(machine, "stop");
  return { kind: "done" };
};

export const restartService = async (machine: Machine, service: Service): Promise<Change> => {
  await stopService(machine, service);
  return startService(machine, machine.services.get(service.unit) ?? service);
};

export const reloadService = async (machine: Machine, service: Service): Promise<Change> => {
  if (!service.canReload) return { kind: "cannot-reload" };
  if (service.state !== "active") return { kind: "failed" };
  log(machine, service, { source: "systemd", text: `Reloading ${service.unit} - ${service.description}...` });
  await service.afterChange?.(machine, "reload");
  log(machine, service, { source: "systemd", text: `Reloaded ${service.unit} - ${service.description}.` });
  return { kind: "done" };
};
