# By ID: the VMID and the number of the job.
terraform import proxmox_replication.db 102-0
