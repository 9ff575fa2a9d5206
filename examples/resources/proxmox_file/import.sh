# By volume ID; with the node in front if the storage is different on each node.
terraform import proxmox_file.rescue nas:iso/rescue.iso
terraform import proxmox_file.answers pve1/local:iso/answers.img
