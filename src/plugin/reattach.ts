import { type Address, pluginProtocol } from "./handshake.ts";

/** The environment variable that makes Terraform use this process instead of starting one. */
export function reattachLine(provider: string, address: Address): string {
  const providers = {
    [provider]: {
      Protocol: "grpc",
      ProtocolVersion: pluginProtocol,
      Pid: process.pid,
      Test: true, // Terraform does not end the process when it is done
      Addr: { Network: address.network, String: address.text },
    },
  };
  return `TF_REATTACH_PROVIDERS='${JSON.stringify(providers)}'\n`;
}
