import type { QueueName } from "../../src/base/queues.ts";
import type { Job } from "../../src/store/queue/queue.ts";

/** A job that no queue knows of: what it settles is settled, and nobody else ever has it. */
export const jobOf = (queue: QueueName, data: object, given: Partial<Job> = {}): Job => ({
  id: 1,
  queue,
  key: "",
  data,
  attempt: 1,
  failures: 0,
  deaths: 0,
  isLast: false,
  signal: new AbortController().signal,
  fence: async () => {},
  settle: async () => {},
  comeBack: () => {},
  ...given,
});
