/** What is asked of a comment wherever comments are read by GraphQL; the author's fields differ. */
export const commentFields = "fullDatabaseId body createdAt lastEditedAt isMinimized viewerDidAuthor";

/** The answer to `commentFields`. */
export interface CommentNode {
  readonly fullDatabaseId: string;
  readonly body: string;
  readonly createdAt: string;
  readonly lastEditedAt: string | null;
  readonly isMinimized: boolean;
  readonly viewerDidAuthor: boolean;
}
