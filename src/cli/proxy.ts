import http from "node:http";
import { messageOf, OperatorError } from "../base/errors.ts";
import { environment } from "../config/load.ts";

/** Never through a proxy: this machine. */
const own = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Sends requests to GitHub and the model through HTTPS_PROXY and HTTP_PROXY, except to the hosts in NO_PROXY and this machine;
 * connections to servers and the database stay direct. Throws an `OperatorError` for an invalid address. It changes the whole process,
 * so only main.ts calls it.
 */
export function honourProxy(env = environment()): void {
  const { https_proxy = env.HTTPS_PROXY, http_proxy = env.HTTP_PROXY, no_proxy = env.NO_PROXY } = env;
  if (!https_proxy && !http_proxy) return;
  const around = [...(no_proxy ?? "").split(/[\s,]+/).filter((host) => host !== ""), ...own].join(",");
  // Node 24.14 has it; an older one does the same if it starts with NODE_USE_ENV_PROXY=1.
  if (!("setGlobalProxyFromEnv" in http)) {
    if (env.NODE_USE_ENV_PROXY === "1") return;
    const message = `is set, and Node ${process.versions.node} does not use it by itself`;
    throw new OperatorError({
      place: "HTTPS_PROXY",
      message,
      remedy: "take Node 24.14 or newer, or set NODE_USE_ENV_PROXY=1, too",
    });
  }
  try {
    http.setGlobalProxyFromEnv({ https_proxy, http_proxy, no_proxy: around });
  } catch (error) {
    // The message leaves the address out, because it may hold a password.
    const message = `is no proxy's address (${"code" in Object(error) ? Object(error).code : messageOf(error)})`;
    throw new OperatorError({
      place: "HTTPS_PROXY, HTTP_PROXY",
      message,
      remedy: "write http://proxy.example.com:3128",
    });
  }
}
