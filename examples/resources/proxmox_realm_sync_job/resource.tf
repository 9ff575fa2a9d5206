resource "proxmox_realm" "company" {
  id = "company"
  ldap = {
    server         = "ldap.example.com"
    base_dn        = "ou=people,dc=example,dc=com"
    user_attribute = "uid"
  }
}

resource "proxmox_realm_sync_job" "nightly" {
  id              = "company-nightly"
  realm           = proxmox_realm.company.id
  schedule        = "*-*-* 02:30"
  scope           = "both"
  remove_vanished = ["acl", "entry"]
}
