# By user and ID, which `pvesh get /access/tfa/ops-2fa@pve` shows; the ID of recovery keys is `recovery`.
terraform import proxmox_tfa.phone ops-2fa@pve/2f1d9a5e-7c7b-4f0e-9d5c-0d6c1b8a3e11
