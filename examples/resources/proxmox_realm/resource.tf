variable "directory_password" {
  type      = string
  sensitive = true
  ephemeral = true
  default   = "change-me"
}

# Users of an LDAP directory.
resource "proxmox_realm" "directory" {
  id      = "example"
  comment = "Directory of example.com"
  ldap = {
    server           = "ldap.example.com"
    mode             = "ldaps"
    base_dn          = "ou=people,dc=example,dc=com"
    user_attribute   = "uid"
    bind_dn          = "cn=reader,dc=example,dc=com"
    password         = var.directory_password
    password_version = 1
    sync_attributes  = { email = "mail", firstname = "givenName", lastname = "sn" }
    sync_defaults    = { scope = "both", remove_vanished = ["acl", "entry"] }
  }
}

# Single sign-on; users are created when they log in.
resource "proxmox_realm" "sso" {
  id = "sso"
  openid = {
    issuer_url     = "https://id.example.com/realms/pve"
    client_id      = "proxmox"
    username_claim = "email"
    autocreate     = true
  }
}
