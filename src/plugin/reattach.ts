import { type Address, pluginProtocol } from "./handshake.ts";

/** What to put into the environment so that Terraform uses this process instead of starting one. */
export function reattachLine(provider: string, address: Address): string {
  const providers = {
    [provider]: {
      Protocol: "grpc",
      ProtocolVersion: pluginProtocol,
      Pid: process.pid,
      Test: true, // Terraform leaves the process alone when it is done
      Addr: { Network: address.network, String: address.text },
    },
  };
  return `TF_REATTACH_PROVIDERS='${JSON.stringify(providers)}'\n`;
}
