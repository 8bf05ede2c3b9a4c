import { describe, expect, it } from "vitest";
import { fullDisk } from "./full-disk.ts";
import { incidents } from "./incidents.ts";
import { createAnswers } from "./machines.ts";

describe("DC-5 the imagined machines answer a free hand", () => {
  it("by the table, by another form of the same, through pipes, and from files", async () => {
    const { answer, unknown } = createAnswers(fullDisk);
    expect((await answer("sudo -n systemctl status checkout-api.service --no-pager")).out).toContain("Active: failed");
    expect((await answer("journalctl -u checkout-api -n 50 --no-pager | grep -c fatal")).out).toBe("1\n");
    expect((await answer("cat /etc/checkout/logging.yml | head -3")).out).toContain("level: debug");
    await answer("cp /var/backups/etc/checkout/logging.yml /etc/checkout/logging.yml");
    expect((await answer("grep -n level /etc/checkout/logging.yml")).out).toBe("3:level: info\n");
    expect(unknown).toEqual([]);
  });

  it("and count what they do not know", async () => {
    const { answer, unknown } = createAnswers(fullDisk);
    expect((await answer("crictl ps")).exit).not.toBe(0);
    expect(unknown).toEqual(["crictl ps"]);
  });

  it.each(incidents.map((incident) => [incident.name, incident] as const))(
    "%s: each step is known, whatever sudo stands before it",
    async (_name, incident) => {
      const { answer, unknown } = createAnswers(incident);
      const acts = incident.steps.flatMap((step) => ("change" in step ? [...step.change, step.check] : [step]));
      for (const { on, command } of acts) if (on !== "prom") await answer(`sudo ${command}`);
      expect(unknown).toEqual([]);
    },
  );
});
