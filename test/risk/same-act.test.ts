import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { words } from "../../src/risk/engine/options.ts";
import { equivalents } from "../../src/risk/knowledge/equivalents.ts";
import { formOfAct } from "../../src/risk/same-act.ts";
import { builtInTable } from "../../src/risk/table.ts";

const same: readonly (readonly string[])[] = [
  [
    "kubectl get pods -n web",
    "kubectl -n web get pods",
    "kubectl get po --namespace=web",
    "kubectl --namespace web get pod",
  ],
  ["systemctl restart nginx", "/usr/bin/systemctl restart nginx.service", "systemctl restart 'nginx'"],
  ["sudo systemctl restart nginx", "sudo -n /usr/bin/systemctl restart nginx.service"],
  ["kubectl exec -it web-1 -n a -- ls -l", "kubectl exec -i -t --namespace a web-1 -- ls -l"],
  ["rm -rf /srv/a", "rm -fr /srv/a", "rm --recursive --force /srv/a"],
  ["kubectl rollout restart deployment web -n x", "kubectl -n x rollout restart deploy/web"],
  ["kubectl scale deploy/web --replicas=3", "kubectl scale --replicas 3 deployments web"],
  ["tail -n5 /var/log/x", "tail --lines=5 /var/log/x", "tail /var/log/x -n 5"],
  ["df -h | grep sda", "df --human-readable | grep sda"],
];

const different: readonly (readonly [string, string])[] = [
  ["docker exec -t web cmd", "docker exec web cmd -t"],
  ["kubectl exec web -- ls -l", "kubectl exec web -l -- ls"],
  ["tar -C a x -C b y", "tar -C b x -C a y"],
  ["find / -name a -delete", "find / -delete -name a"],
  ["rsync --include a --exclude b c d", "rsync --exclude b --include a c d"],
  ["ls *.log", "ls '*.log'"],
  ["rm -rf $A", "rm -rf '$A'"],
  ["sudo -u app systemctl restart nginx", "sudo systemctl restart nginx"],
  ["sudo journalctl -u nginx", "journalctl -u nginx"],
  ["sudo crontab -r", "crontab -r"],
  ["redis-cli -h a del x", "redis-cli del x -h a"],
  ["psql -c A -f b", "psql -f b -c A"],
  ["systemctl isolate rescue", "systemctl isolate rescue.service"],
  ["psql -d app <<E\nselect 1\nE", "psql -d app <<E\nselect 2\nE"],
  ["systemctl restart nginx.socket", "systemctl restart nginx"],
  ["systemctl restart nginx && date", "systemctl restart nginx; date"],
  ["kubectl delete pod a", "kubectl delete deploy a"],
  ["kubectl scale deploy/web --replicas=3", "kubectl scale deploy/web --replicas=0"],
  ["kubectl -n a delete pod x", "kubectl -n b delete pod x"],
  ["systemctl restart a b", "systemctl restart b a"],
  ["kubectl label pod a b=c", "kubectl label pod a b-"],
  ["sort -k1 -k2 f", "sort -k2 -k1 f"],
  ["frob -a b", "frob b -a"],
  ["systemctl restart nginx > /tmp/a", "systemctl restart nginx > /tmp/b"],
  ["A=1 systemctl restart nginx", "systemctl restart nginx"],
  ["systemctl restart nginx &", "systemctl restart nginx"],
  ["! systemctl is-active nginx", "systemctl is-active nginx"],
];

const option = fc.constantFrom(
  "-n web",
  "--namespace=web",
  "-l app=a",
  "-o wide",
  "--no-headers",
  "-A",
  "--tail=5",
  "-c main",
);
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

describe("PA-6 one form for one act", () => {
  it.each(same)("PA-6 %s is the same act, however it is written", (...ways) => {
    expect(new Set(ways.map(formOfAct)).size).toBe(1);
  });

  it.each(different)("PA-6 %s is another act than %s", (one, other) => {
    expect(formOfAct(one)).not.toBe(formOfAct(other));
  });

  it("PA-6 the order of independent options changes nothing, wherever they stand", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(option, {
          minLength: 1,
          maxLength: 5,
          selector: (one) => one.replace("--namespace=web", "-n web").slice(0, 4),
        }),
        fc.infiniteStream(fc.nat(1000)),
        word,
        (options, chance, name) => {
          const [first = 0] = [...chance.take(1)];
          const shuffled = options.toSorted((a, b) => ((a.length * first) % 7) - ((b.length * first) % 7));
          const at = first % (shuffled.length + 1);
          const [before, behind] = [shuffled.slice(0, at), shuffled.slice(at)];
          const written = `kubectl get pod ${name} ${options.join(" ")}`;
          expect(formOfAct(["kubectl", ...before, "get", "pod", name, ...behind].join(" "))).toBe(formOfAct(written));
        },
      ),
    );
  });

  it("PA-6 another verb, object or value has another form", () => {
    const call = fc.record({
      verb: fc.constantFrom("restart", "stop", "start", "reload", "status"),
      unit: word,
      lines: fc.nat(50),
      sudo: fc.constantFrom("", "sudo "),
    });
    const text = ({ verb, unit, lines, sudo }: { verb: string; unit: string; lines: number; sudo: string }) =>
      `${sudo}systemctl ${verb} -n ${lines} ${unit}`;
    fc.assert(
      fc.property(call, call, (one, other) => {
        const isSame =
          one.verb === other.verb && one.unit === other.unit && one.lines === other.lines && one.sudo === other.sudo;
        expect(formOfAct(text(one)) === formOfAct(text(other))).toBe(isSame);
      }),
    );
  });

  it("PA-6 never fails, and gives the same form for the same text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(formOfAct(` ${text} `)).toBe(formOfAct(text));
      }),
    );
  });

  it.each(Object.keys(equivalents).flatMap(words))("PA-6 the names of an option of %s take the same", (program) => {
    const kinds = builtInTable.get(program)?.[0]?.grammar.kinds ?? new Map();
    const lists = Object.entries(equivalents).flatMap(([names, list]) =>
      words(names).includes(program) ? words(list) : [],
    );
    for (const names of lists) {
      const known = names.split("|").flatMap((name) => (kinds.has(name) ? [kinds.get(name) === "flag"] : []));
      expect(new Set(known).size, names).toBeLessThan(2);
    }
  });
});
