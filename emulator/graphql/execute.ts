import { readFileSync } from "node:fs";
import {
  buildASTSchema,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import { isObject, objectOf, refuse } from "../wire/shapes.ts";
import type { World } from "../world.ts";
import type { GraphqlCaller } from "./caller.ts";
import type { GraphqlAnswer } from "./endpoint.ts";
import { mutations } from "./mutations.ts";
import { queries } from "./queries.ts";

/** The package's own entry parses the schema twice (0.5 s), so its file is read directly. */
function loadSchema(): GraphQLSchema {
  const text = readFileSync(new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema")), "utf8");
  return buildASTSchema(parse(text, { noLocation: true }), { assumeValid: true, assumeValidSDL: true });
}

const schema = loadSchema();

/** Parses, validates and runs one request. What does not fit the schema is 422, where GitHub itself answers 200 with errors. */
export async function executeRequest(world: World, caller: GraphqlCaller, body: unknown): Promise<GraphqlAnswer> {
  const { query, variables, operationName } = objectOf(body);
  const document = check(String(query ?? ""));
  if (typeof document === "string") return invalid(document);
  const result = await execute({
    schema,
    document,
    fieldResolver: resolve,
    rootValue: { ...queries(world, caller), ...mutations(world, caller) },
    variableValues: objectOf(variables),
    operationName: typeof operationName === "string" ? operationName : null,
  });
  // without data nothing was resolved: the variables did not fit
  if (!("data" in result)) return invalid((result.errors ?? []).map((e) => e.message).join("; "));
  return {
    answer: {
      status: 200,
      body: { data: result.data, ...(result.errors ? { errors: result.errors.map(toGitHub) } : {}) },
    },
  };
}

/** A field we do not emulate is an error, never a null that might pass for GitHub's answer. */
const resolve: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  if (!isObject(source) || !(info.fieldName in source)) {
    throw new GraphQLError(`The emulated GitHub does not know ${info.parentType}.${info.fieldName}`);
  }
  return defaultFieldResolver(source, args, context, info);
};

const invalid = (problem: string): GraphqlAnswer => ({
  problem,
  answer: refuse(422, `Does not fit GitHub's GraphQL schema: ${problem}`),
});

function check(query: string): DocumentNode | string {
  try {
    const document = parse(query);
    const errors = validate(schema, document);
    return errors.length > 0 ? errors.map((e) => e.message).join("; ") : document;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const toGitHub = ({ message, path, locations, extensions }: GraphQLError): object => ({
  ...(extensions.type === undefined ? {} : { type: extensions.type }),
  path,
  locations,
  message,
});
