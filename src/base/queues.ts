/** `delivery`: a webhook to be understood. `turn`: the agent's. `execute`: an approved action. `schedule`: a workflow that is due. `post`: the outbox. */
export const queues = ["delivery", "turn", "execute", "schedule", "post"] as const;
export type QueueName = (typeof queues)[number];
