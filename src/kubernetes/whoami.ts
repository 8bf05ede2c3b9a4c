/** Who the API server says that we are, without a kubectl: to start one would cost as much again as the command itself. */

import { type Agent, request } from "node:https";
import { messageOf } from "../base/errors.ts";
import type { ClusterConnection } from "../base/server.ts";

interface Question {
  readonly apiServer: string;
  readonly connection: ClusterConnection;
  readonly as: string | undefined;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

type Answered =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly why: string;
      /** It has no such review: before 1.28 it had one of another version. */
      readonly isAbsent: boolean;
    };

const versions = ["v1", "v1beta1", "v1alpha1"] as const;

/** Returns the review as the API server wrote it. Its certificate must come of the pinned authority. Never rejects. */
export async function askWhoWeAre(question: Question): Promise<Answered> {
  let answered: Answered = { ok: false, why: "it was not asked", isAbsent: true };
  for (const version of versions) {
    answered = await post(question, version);
    if (answered.ok || !answered.isAbsent) return answered;
  }
  return answered;
}

const maxAnswer = 1024 * 1024;

function post(question: Question, version: (typeof versions)[number]): Promise<Answered> {
  const { apiServer, as, agent, signal, connection } = question;
  const { token, isProxied: _, ...tls } = connection;
  const apiVersion = `authentication.k8s.io/${version}`;
  const body = JSON.stringify({ kind: "SelfSubjectReview", apiVersion });
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(as === undefined ? {} : { "impersonate-user": as }),
  };
  return new Promise<Answered>((resolve) => {
    const fail = (why: string, isAbsent = false): void => resolve({ ok: false, why, isAbsent });
    const failed = ({ message }: Error): void => fail(signal.aborted ? "it does not answer" : message);
    const url = `${apiServer.replace(/\/$/, "")}/apis/${apiVersion}/selfsubjectreviews`;
    // NODE_TLS_REJECT_UNAUTHORIZED must not give anybody the token.
    const options = { ...tls, rejectUnauthorized: true, method: "POST", headers, agent, signal };
    const asked = request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > maxAnswer) response.destroy(new Error("its answer is too long"));
      });
      response.once("error", failed);
      response.once("end", () => {
        const { statusCode = 0, statusMessage = "" } = response;
        if (statusCode === 201 || statusCode === 200) resolve({ ok: true, text });
        else fail(`${statusCode} ${statusMessage}`, statusCode === 404);
      });
    });
    asked.once("error", (error) => {
      // A connection that was kept had been closed at the other end; to ask who one is changes nothing.
      if (asked.reusedSocket && !signal.aborted) resolve(post(question, version));
      else failed(error);
    });
    // Without this neither an answer nor an error would come.
    asked.on("upgrade", (_, socket) => {
      socket.destroy();
      fail("it is no HTTP answer");
    });
    asked.end(body);
  }).catch((error: unknown) => ({ ok: false, why: messageOf(error), isAbsent: false }));
}
