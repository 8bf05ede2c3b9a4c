const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const two = (n: number): string => String(n).padStart(2, "0");
export const timeOfDay = (at: Date): string => at.toISOString().slice(11, 19);

/** `Nov 21 14:02:11`, as syslog writes it; UTC, like every machine of the sandbox. */
export const syslogTime = (at: Date): string => `${months[at.getUTCMonth()]} ${two(at.getUTCDate())} ${timeOfDay(at)}`;

/** `Sat 2026-11-21 14:02:11 UTC`, as systemd writes it. */
export const systemdTime = (at: Date): string =>
  `${days[at.getUTCDay()]} ${at.toISOString().slice(0, 10)} ${timeOfDay(at)} UTC`;

/** `Nov 21 14:02:11 2026 GMT`, as openssl writes it. */
export const opensslTime = (at: Date): string =>
  `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2, " ")} ${timeOfDay(at)} ${at.getUTCFullYear()} GMT`;

/** `2min 5s ago` without the `ago`. */
export const age = (ms: number): string => {
  if (ms >= 2 * day) return `${Math.floor(ms / day)} days`;
  if (ms >= hour) return `${Math.floor(ms / hour)}h ${Math.floor((ms % hour) / minute)}min`;
  if (ms >= minute) return `${Math.floor(ms / minute)}min`;
  return `${Math.max(0, Math.floor(ms / second))}s`;
};

const unitMs: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day, w: 7 * day };

/** A time as `journalctl --since` takes it: `14:00`, `10 min ago`, `-1h`, `today`, `2026-11-21 14:00`; undefined where unreadable. */
export const parseSince = (text: string, now: Date): Date | undefined => {
  const word = text.trim().toLowerCase();
  const midnight = new Date(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  if (word === "now") return now;
  if (word === "today") return midnight;
  if (word === "yesterday") return new Date(midnight.getTime() - day);
  const relative = /^(?:-\s*)?(\d+)\s*([smhdw])[a-z]*(?:\s+ago)?$/.exec(word);
  if (relative) return new Date(now.getTime() - Number(relative[1]) * (unitMs[relative[2] ?? "s"] ?? second));
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?z?$/.exec(word);
  if (clock) {
    const at =
      midnight.getTime() + Number(clock[1]) * hour + Number(clock[2]) * minute + Number(clock[3] ?? 0) * second;
    return new Date(at > now.getTime() ? at - day : at);
  }
  const absolute = /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2})(:\d{2})?)?z?(?: utc)?$/.exec(word);
  if (!absolute) return undefined;
  const at = new Date(`${absolute[1]}T${absolute[2] ?? "00:00"}${absolute[3] ?? ":00"}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
};
