# By the ID of the job.
terraform import proxmox_realm_sync_job.nightly company-nightly
