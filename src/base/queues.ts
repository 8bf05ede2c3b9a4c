/** `execute`: approved actions. `schedule`: due workflows. `post`: the outbox. */
export const queues = ["delivery", "turn", "execute", "schedule", "post"] as const;
export type QueueName = (typeof queues)[number];
