import type { Incident } from "./engineer.ts";

const pods = "kubectl -n shop get pods -l app=cart";
const logs = "kubectl -n shop logs deploy/cart --previous --tail=20";
const history = "kubectl -n shop rollout history deploy/cart";
const revision = "kubectl -n shop rollout history deploy/cart --revision=42";
const undo = "kubectl -n shop rollout undo deploy/cart --to-revision=41";
const status = "kubectl -n shop rollout status deploy/cart --timeout=90s";
const crashing = "kubectl -n shop get pods -l app=cart | grep CrashLoopBackOff";

/** The new revision misses an environment variable; it is rolled back, which the team's rules rate high. */
export const rollout: Incident = {
  name: "rollout",
  title: "KubePodCrashLooping: cart in namespace shop, rollout of 42 is stuck",
  body: "KubePodCrashLooping for shop/cart since 15:04Z, right after the rollout of cart v2.18.0. Half of the carts cannot be opened.",
  skill: {
    name: "k8s-rollout-broken",
    text: `---
name: k8s-rollout-broken
description: "A Kubernetes deployment whose rollout broke. Use when KubePodCrashLooping or KubeDeploymentRolloutStuck fires right after a deploy, or new pods are in CrashLoopBackOff."
metadata:
  service: "kubernetes"
  runbook: "https://runbooks.acme.example/rollout-broken"
  alerts: "KubePodCrashLooping, KubeDeploymentRolloutStuck"
---

# A rollout broke

The old pods go on as long as the new ones are not ready, so half of the requests may still work. kubectl runs on \`ops-1\`.

## Verify

\`\`\`sh
# which pods crash
${pods}
# expect: CrashLoopBackOff
# the last words of the one before
${logs}
# which revisions there are
${history}
\`\`\`

- \`${pods}\` shows \`CrashLoopBackOff\`: roll back to the revision before
- \`${status}\` shows \`successfully rolled out\`: healthy

## Act (each needs an approval)

\`\`\`sh
# back to the revision before
kubectl -n $NAMESPACE rollout undo deploy/$DEPLOYMENT
# check: kubectl -n $NAMESPACE rollout status deploy/$DEPLOYMENT --timeout=90s
# undo: kubectl -n $NAMESPACE rollout undo deploy/$DEPLOYMENT
\`\`\`

## Escalation

The release team, in the channel release.

## Notes

Exit code 137 is a kill (often memory), 1 and 2 an error of the application, 127 a missing binary. Look at what the revision changed before you roll back: a migration of the database does not go back with it.
`,
  },
  servers: { "ops-1": "kubectl for the clusters" },
  machines: (ran) => ({
    [pods]: ran(undo)
      ? "NAME                    READY   STATUS    RESTARTS   AGE\ncart-5c9f7d8b6d-2xkzq   1/1     Running   0          31h\ncart-5c9f7d8b6d-8vmtn   1/1     Running   0          31h\ncart-5c9f7d8b6d-qq4fd   1/1     Running   0          40s\n"
      : "NAME                    READY   STATUS             RESTARTS      AGE\ncart-5c9f7d8b6d-2xkzq   1/1     Running            0             31h\ncart-5c9f7d8b6d-8vmtn   1/1     Running            0             31h\ncart-7b66c4f9c8-hx2lp   0/1     CrashLoopBackOff   7 (71s ago)   12m\n",
    [logs]:
      "cart v2.18.0 starting\npanic: CART_SESSION_STORE is not set\ngoroutine 1 [running]:\nmain.mustEnv(...)\n\t/src/main.go:58\n",
    [history]:
      "deployment.apps/cart\nREVISION  CHANGE-CAUSE\n40        cart v2.16.3\n41        cart v2.17.1\n42        cart v2.18.0\n",
    [revision]:
      "deployment.apps/cart with revision #42\nPod Template:\n  Labels:  app=cart\n  Containers:\n   cart:\n    Image:  registry.acme.example/cart:v2.18.0\n    Environment:\n      CART_DB_HOST:  db-1\n",
    [undo]: "deployment.apps/cart rolled back\n",
    [status]: ran(undo)
      ? 'deployment "cart" successfully rolled out\n'
      : { exit: 1, out: 'error: deployment "cart" exceeded its progress deadline\n' },
    [crashing]: ran(undo)
      ? { exit: 1, out: "" }
      : "cart-7b66c4f9c8-hx2lp   0/1     CrashLoopBackOff   7 (71s ago)   12m\n",
  }),
  files: () => ({}),
  forms: (ran) => [
    [/^kubectl .*rollout undo /, { as: undo }],
    [/^kubectl .*rollout status/, { as: status }],
    [/^kubectl .*rollout history.*--revision[= ]42/, { as: revision }],
    [
      /^kubectl .*rollout history.*--revision[= ]41/,
      "deployment.apps/cart with revision #41\nPod Template:\n  Labels:  app=cart\n  Containers:\n   cart:\n    Image:  registry.acme.example/cart:v2.17.1\n    Environment:\n      CART_DB_HOST:  db-1\n",
    ],
    [/^kubectl .*rollout history/, { as: history }],
    [/^kubectl .*logs .*5c9f7d8b6d/, "cart v2.17.1 starting\nlistening on 8080\n"],
    [/^kubectl .*logs/, ran(undo) ? "cart v2.17.1 starting\nlistening on 8080\n" : { as: logs }],
    [
      /^kubectl .*describe (?:pods?|po)\b/,
      ran(undo)
        ? "Status: Running\nReady: True\n"
        : "Name: cart-7b66c4f9c8-hx2lp\nStatus: Running\nContainers:\n  cart:\n    Image: registry.acme.example/cart:v2.18.0\n    State: Waiting\n      Reason: CrashLoopBackOff\n    Last State: Terminated\n      Reason: Error\n      Exit Code: 2\n    Environment:\n      CART_DB_HOST: db-1\nEvents:\n  Warning  BackOff  2m  kubelet  Back-off restarting failed container cart\n",
    ],
    [
      /^kubectl .*describe (?:deploy|deployment)/,
      "Name: cart\nReplicas: 3 desired | 1 updated | 3 total | 2 available | 1 unavailable\nConditions:\n  Progressing False ProgressDeadlineExceeded\nPod Template:\n  Image: registry.acme.example/cart:v2.18.0\n  Environment:\n    CART_DB_HOST: db-1\n",
    ],
    [
      /^kubectl .*get (?:deploy|deployment)\S*.*-o\s?(?:yaml|json)/,
      "spec:\n  template:\n    spec:\n      containers:\n      - image: registry.acme.example/cart:v2.18.0\n        env:\n        - name: CART_DB_HOST\n          value: db-1\n",
    ],
    [
      /^kubectl .*get (?:deploy|deployment)/,
      ran(undo)
        ? "NAME READY UP-TO-DATE AVAILABLE AGE\ncart 3/3 3 3 210d\n"
        : "NAME READY UP-TO-DATE AVAILABLE AGE\ncart 2/3 1 2 210d\n",
    ],
    [
      /^kubectl .*get (?:rs|replicaset)/,
      "NAME DESIRED CURRENT READY AGE\ncart-5c9f7d8b6d 2 2 2 31h\ncart-7b66c4f9c8 1 1 0 12m\n",
    ],
    [
      /^kubectl .*(?:get events|events)/,
      ran(undo)
        ? "LAST SEEN TYPE REASON OBJECT MESSAGE\n40s Normal Started pod/cart-5c9f7d8b6d-qq4fd Started container cart\n"
        : "LAST SEEN TYPE REASON OBJECT MESSAGE\n71s Warning BackOff pod/cart-7b66c4f9c8-hx2lp Back-off restarting failed container cart\n",
    ],
    [/^kubectl .*get (?:pods?|po)\b/, { as: pods }],
    [/^kubectl .*(?:get|describe) (?:cm|configmaps?|secrets?)/, "NAME DATA AGE\ncart-config 3 210d\n"],
    [/^kubectl .*top/, "NAME CPU MEMORY\ncart-5c9f7d8b6d-2xkzq 40m 120Mi\n"],
    [/^kubectl .*set env .*CART_SESSION_STORE/, "deployment.apps/cart env updated\n"],
  ],
  isSolved: (ran) => ran(undo, status),
  guess: "cart v2.18.0 in shop ends as soon as it starts; the old pods still carry half of the load.",
  steps: [
    {
      command: pods,
      title: "Pods of cart",
      why: "Shows which pods crash and which still work.",
      says: "how the pods of cart are",
    },
    {
      command: logs,
      title: "Last words of the crashed one",
      why: "Shows what the container said before it ended.",
      says: "a panic: CART_SESSION_STORE is not set",
    },
    {
      command: history,
      title: "Revisions of cart",
      why: "Shows which revision there is to go back to.",
      says: "that 41 came before 42",
    },
    {
      after: "CART_SESSION_STORE is not set",
      command: revision,
      title: "What revision 42 sets",
      why: "Shows whether the variable is missing in the revision, and whether it changes anything that would not go back.",
      says: "that revision 42 does not set CART_SESSION_STORE",
    },
    {
      after: "41        cart v2.17.1",
      change: [
        {
          command: undo,
          title: "Roll back to revision 41",
          why: "Puts v2.17.1 back, the old pods go on meanwhile; undo by a rollout to revision 42.",
          risk: "high",
          says: "that cart was rolled back",
        },
      ],
      check: {
        command: status,
        title: "State of the rollout",
        why: "Waits up to 90 s for the rollback and shows whether it is complete.",
        says: "how far the rollout is",
        shows: "successfully rolled out",
      },
    },
    {
      after: "successfully rolled out",
      command: crashing,
      title: "Any pod that still crashes",
      why: "Looks for pods in CrashLoopBackOff; no match means there are none.",
      says: "no match, so no pod crashes any more",
    },
  ],
  cause: "v2.18.0 needs CART_SESSION_STORE, which revision 42 does not set",
};
