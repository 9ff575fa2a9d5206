# PATH:ROLE:user:NAME, PATH:ROLE:group:NAME or PATH:ROLE:token:USER!NAME.
terraform import proxmox_acl.lab_users /pool/lab:PVEVMUser:user:bob@pve
terraform import proxmox_acl.auditors /vms:PVEAuditor:user:bob@pve
