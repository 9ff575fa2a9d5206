/** The program that Terraform starts. Node runs it as it is: there is no build step. */
import { runProvider } from "terraform-provider-proxmox/framework";
import { address } from "./address.ts";
import { provider } from "./provider.ts";

await runProvider(provider, { address, logLevel: process.env["SHELF_LOG_LEVEL"] });
