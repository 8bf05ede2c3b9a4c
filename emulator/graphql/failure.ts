import { GraphQLError } from "graphql";

/** An error as GitHub's GraphQL reports it: HTTP 200, `type` beside `message`. */
export const failure = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } });

export const notResolved = (what: string): GraphQLError => failure("NOT_FOUND", `Could not resolve to ${what}.`);

export const forbidden = (): GraphQLError => failure("FORBIDDEN", "Resource not accessible by integration");
