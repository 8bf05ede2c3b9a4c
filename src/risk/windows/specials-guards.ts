/** Cmdlets that could switch off what logs or guards a server: services, Defender, the registry's policies. */
import { shown } from "../engine/arg.ts";
import { auditServices, startupKeys, vitalServices } from "../knowledge/windows-services.ts";
import { isCritical } from "../programs/processes.ts";
import { type Special, textOf, values } from "./context.ts";

/** A key of the registry: some start programs, some switch off what is logged. */
export const startup: Special = ({ words }, { scan }) => {
  const text = textOf(words);
  if (
    /(scriptblocklogging|modulelogging|transcription|amsi|antispyware|disableantivirus|disablerealtimemonitoring|runasppl|uselogoncredential|disablerestrictedadmin|tamperprotection|minint|eventlog)/i.test(
      text,
    ) &&
    !/enable\w*\s.*-value\s+1\b/i.test(text)
  ) {
    scan.report("block", "windows.audit", `switches off what is logged or guarded: ${shown(text)}`);
  }
  return startupKeys.test(text) ? "high" : undefined;
};

/** Stopping what logs or guards is never done; what the server lives on is high. */
export const service: Special = ({ name, words, input }, { scan }) => {
  const names = [...values(words), ...(typeof input === "string" ? [input] : [])];
  const isStop = name !== "set-service" || /stopped|disabled|paused/i.test(names.join(" "));
  if (name === "restart-service")
    return names.some((one) => scan.criticalServices?.some((own) => own.toLowerCase() === one.toLowerCase()))
      ? "high"
      : undefined;
  if (isStop && names.some((one) => auditServices.test(one))) return "block";
  const isVital = names.some(
    (one) => vitalServices.test(one) || isCritical(one.toLowerCase(), scan) || isCritical(one, scan),
  );
  return isStop && isVital ? "high" : undefined;
};

/** Settings of Defender: an exclusion or a part switched off is never set. */
export const defender: Special = ({ words }) =>
  /-(dis\w*)(\s+(\$?true|1))?\b(?!\s+(\$?false|0))|exclusion|-(sub\w*|puap\w*|mapsr\w*|enablecont\w*|enablenetw\w*|attacksurface\w*).*\b(0|never\w*|disabled|allow)\b|action\s+(6|9|allow|noaction)/i.test(
    textOf(words),
  )
    ? /disable\w*\s+(\$?false|0)\b/i.test(textOf(words)) && !/disable\w*\s+(\$?true|1)\b|exclusion/i.test(textOf(words))
      ? "medium"
      : "block"
    : undefined;

/** A feature of Windows that guards it is never taken away. */
export const feature: Special = ({ words }) => (/defender/i.test(textOf(words)) ? "block" : undefined);
