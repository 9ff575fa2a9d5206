# By volume ID; if the storage is different on each node, with the node in front: pve1/local:import/….
terraform import proxmox_download.debian nas:import/debian-13-genericcloud-amd64.qcow2
