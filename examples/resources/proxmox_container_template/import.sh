# By volume ID; if the storage is different on each node, with the node in front: pve1/local:vztmpl/….
terraform import proxmox_container_template.debian nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst
