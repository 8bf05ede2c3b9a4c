import { counted } from "../../base/counted.ts";
import type { Problem } from "../../base/errors.ts";
import type { Endpoint } from "./endpoints.ts";
import type { ModelFailure } from "./failure.ts";
import { fetchModels } from "./request.ts";

const timeoutMs = 15_000;

type LookProblem = Pick<Problem, "message" | "remedy">;

/** A doubt is a fact that it could not confirm. */
export interface ModelLook {
  readonly said: string;
  readonly fault?: LookProblem;
  readonly doubt?: LookProblem;
}

/** These mean that an endpoint has no list; others, that it does not serve. */
const noList: readonly (number | undefined)[] = [404, 405, 501];

/** Checks address, key and model by the endpoint's list of models, at no cost. Never throws. */
export async function lookAtModel(endpoint: Endpoint): Promise<ModelLook> {
  const { model, url } = endpoint;
  const { host } = new URL(url);
  const answer = await fetchModels(endpoint, timeoutMs);
  if (!("kind" in answer)) return failed(host, answer);
  const said = `${model} at ${host}`;
  if (answer.names.includes(model)) return { said };
  const message = `${host} names ${counted(answer.names.length, "model")}, and ${model} is not among them`;
  return { said, doubt: { message, remedy: "correct `model`, unless it stands for one that is not listed" } };
}

function failed(host: string, { message: why, statusCode }: ModelFailure): ModelLook {
  if (noList.includes(statusCode)) {
    const message = `${host} has no list of models below this address: neither key nor model were tried`;
    return {
      said: "not tried",
      doubt: { message, remedy: "compare `url` with what its maker says; it often ends in /v1" },
    };
  }
  const remedy =
    statusCode === 401 || statusCode === 403
      ? "put a valid key in its place"
      : "correct `url`, or look whether it is up";
  return {
    said: `${host}: ${why}`,
    fault: { message: `${host}: ${why}`, remedy },
  };
}
