import { answer } from "../../features/thread/answer.ts";
import { toolSummary } from "../../features/turn/turn-tools.ts";
import type { Handler } from "../command.ts";

/** Lists servers without address, user or key (PA-8). */
export const servers: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { code, plain } = call.deps.markdown;
    const lines = call.repoContext.rules.servers.map(toolSummary).map(({ name, os, groups, description }) => {
      const parts = [code(name), os === "auto" ? "" : os, groups.map(code).join(", "), plain(description)];
      return `- ${parts.filter((part) => part !== "").join(" · ")}`;
    });
    const body =
      lines.length === 0
        ? "This repository may use no server: the operator has named none for it."
        : `You can name: server · system · groups · description\n\n${lines.join("\n")}`;
    await answer(tx, call, incident, { outcome: "done", body });
  });
