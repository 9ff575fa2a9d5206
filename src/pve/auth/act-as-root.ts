import { isPveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { isReservedForRoot } from "../single-texts.ts";
import type { Call, Send } from "../transport/call.ts";

/**
 * Sends as root@pam what PVE reserves for that user, and nothing else: a call that is refused for this reason, before any
 * work was done, is sent again. Tasks that were started this way belong to root@pam, and are read as that user.
 */
export function actAsRoot(send: Send, sendAsRoot: Send, logger: Logger): Send {
  return (call) => {
    if (isTaskOfRoot(call)) return sendAsRoot(call);
    return send(call).catch((reason: unknown) => {
      const isReserved = isPveError(reason, "permission", "invalid") && isReservedForRoot(reason.message);
      if (!isReserved || call.upload !== undefined) throw reason;
      logger.debug("reserved for root@pam, sending it with the ticket", { call: `${call.method} ${call.template}` });
      return sendAsRoot(call);
    });
  };
}

const isTaskOfRoot = ({ method, template, path }: Call): boolean =>
  method === "GET" && template.includes("/tasks/{upid}/") && /(:|%3A)root(@|%40)pam(:|%3A)/i.test(path);
