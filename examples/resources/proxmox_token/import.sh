# By user and name, quoted because of the exclamation mark. The secret cannot be imported; `rotate` creates another.
terraform import proxmox_token.deploy 'ci@pve!deploy'
