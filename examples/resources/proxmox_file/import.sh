# By volume ID; with the node before it where the storage is another one on each node.
terraform import proxmox_file.rescue nas:iso/rescue.iso
terraform import proxmox_file.answers pve1/local:iso/answers.img
