resource "proxmox_role" "operator" {
  id         = "Operator"
  privileges = ["VM.Audit", "VM.Console", "VM.GuestAgent.Audit", "VM.PowerMgmt"]
}
