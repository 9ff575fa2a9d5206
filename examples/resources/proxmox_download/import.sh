# By volume ID; where the storage is another one on each node, with the node before it: pve1/local:import/….
terraform import proxmox_download.debian nas:import/debian-13-genericcloud-amd64.qcow2
