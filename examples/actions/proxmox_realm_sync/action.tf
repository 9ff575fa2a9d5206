# Takes users and groups from the directory after each change of the realm; it can also be run by hand:
#   terraform apply -invoke=action.proxmox_realm_sync.now
action "proxmox_realm_sync" "now" {
  config {
    realm = "example"
    scope = "both"
  }
}

resource "proxmox_realm" "example" {
  id = "example"
  ldap = {
    server         = "ldap.example.com"
    base_dn        = "ou=people,dc=example,dc=com"
    user_attribute = "uid"
  }

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.proxmox_realm_sync.now]
    }
  }
}
