import http from "node:http";
import { messageOf, OperatorError } from "../base/errors.ts";
import { environment } from "../config/load.ts";

const own = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Applies HTTPS_PROXY, HTTP_PROXY and NO_PROXY to GitHub and the model; servers, database and this machine stay direct. Throws an
 * `OperatorError` for an invalid address. Changes the whole process, so only main.ts calls it.
 */
export function honourProxy(env = environment()): void {
  const { https_proxy = env.HTTPS_PROXY, http_proxy = env.HTTP_PROXY, no_proxy = env.NO_PROXY } = env;
  if (!https_proxy && !http_proxy) return;
  const around = [...(no_proxy ?? "").split(/[\s,]+/).filter((host) => host !== ""), ...own].join(",");
  // Since Node 24.14; older ones do the same if started with NODE_USE_ENV_PROXY=1.
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
    // Omits the address, which may hold a password.
    const message = `is no proxy's address (${"code" in Object(error) ? Object(error).code : messageOf(error)})`;
    throw new OperatorError({
      place: "HTTPS_PROXY, HTTP_PROXY",
      message,
      remedy: "write http://proxy.example.com:3128",
    });
  }
}
