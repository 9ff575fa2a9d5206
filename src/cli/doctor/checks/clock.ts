import { type Check, type Finding, failed, notice, ok } from "../check.ts";

/** One-time passwords change every 30 s; tickets of one node are refused by others that are 5 minutes off. */
const noticeableSeconds = 30;
const harmfulSeconds = 300;

/** Whether both clocks agree, by the `Date` header of the server's responses. */
export const clock: Check = {
  id: "clock",
  needs: ["login"],
  look: async (context) => judgeClock(context.client().serverTime() - Math.floor(context.now() / 1000)),
};

export function judgeClock(aheadSeconds: number): Finding {
  const off = Math.abs(aheadSeconds);
  if (off < noticeableSeconds) return ok("both clocks agree");
  const said = `the server's clock is ${off} s ${aheadSeconds > 0 ? "ahead of" : "behind"} this machine's`;
  const cure = [
    "One-time passwords and certificates depend on the clock, and so does comparing logs.",
    "On both machines: `timedatectl`; on the host: `systemctl status chrony`.",
  ];
  return off < harmfulSeconds ? notice(said, ...cure) : failed(said, ...cure);
}
