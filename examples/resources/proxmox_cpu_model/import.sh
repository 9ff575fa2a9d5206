# By its name, without "custom-".
terraform import proxmox_cpu_model.nested nested
