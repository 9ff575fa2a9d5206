resource "proxmox_oci_image" "nginx" {
  storage   = "nas"
  node      = "pve1"
  reference = "docker.io/library/nginx:1.29"
}
