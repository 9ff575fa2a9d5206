# By VMID, by node and VMID, or by name.
terraform import proxmox_vm.web 101
terraform import proxmox_vm.web pve1/101
terraform import proxmox_vm.web web-1
