/** Where a comment stands among those of its issue. */
export interface Written {
  /** Of GitHub's database, as a webhook tells it: ids only grow. */
  readonly id: number;
  /** By GitHub's clock, in whole seconds. */
  readonly createdAt: Date;
}

/**
 * Whether whoever wrote a comment can have read the other one. Within a second GitHub's times do not tell, so the ids have to say it
 * too.
 */
export const isWrittenAfter = (comment: Written, other: Written): boolean =>
  comment.id > other.id && comment.createdAt.getTime() >= other.createdAt.getTime();
