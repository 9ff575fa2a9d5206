# By ID, as in /etc/pve/jobs.cfg.
terraform import proxmox_backup_job.nightly nightly
