data "proxmox_version" "this" {
  lifecycle {
    postcondition {
      condition     = self.major >= 9
      error_message = "This module needs Proxmox VE 9; the cluster runs ${self.version}."
    }
  }
}

output "release" {
  value = data.proxmox_version.this.release
}
