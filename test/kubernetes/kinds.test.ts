import { describe, expect, it } from "vitest";
import { firstNotOfNamespace } from "../../src/kubernetes/parse-kubectl.ts";

const listed = [
  "pods                    po       v1                                  true    Pod",
  "deployments             deploy   apps/v1                             true    Deployment",
  "rolebindings                     rbac.authorization.k8s.io/v1        true    RoleBinding",
  "virtualmachines         vm,vms   kubevirt.io/v1                      true    VirtualMachine",
  "machineconfigs          mc       machineconfiguration.openshift.io/v1   false   MachineConfig",
  "things                           one.example.com/v1                  true    Thing",
  "things                           two.example.com/v1                  false   Thing",
].join("\n");

describe("SR-10 a kind that only the API server knows", () => {
  it.each([
    "vm",
    "vms",
    "virtualmachine",
    "virtualmachines",
    "virtualmachines.kubevirt.io",
    "virtualmachines.v1.kubevirt.io",
  ])("%s may be changed: it is custom and belongs to a namespace", (kind) =>
    expect(firstNotOfNamespace([kind], listed)).toBeUndefined(),
  );

  it.each([
    "mc",
    "machineconfigs.machineconfiguration.openshift.io",
    "things",
    "things.one.example.com",
    "rolebindings",
    "nothing",
  ])("%s may not", (kind) => expect(firstNotOfNamespace(["vm", kind], listed)).toBe(kind));

  it("no list, no change", () => {
    expect(firstNotOfNamespace(["vm"], "")).toBe("vm");
    expect(firstNotOfNamespace(["vm"], "error: unable to retrieve the complete list")).toBe("vm");
  });
});
