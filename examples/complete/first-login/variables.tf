variable "domain" {
  description = "Domain of the site: its directory, mail server and file server are in it."
  type        = string
  default     = "example.com"

  validation {
    condition     = can(regex("^[a-z0-9-]+(\\.[a-z0-9-]+)+$", var.domain))
    error_message = "The domain must be a name such as example.com."
  }
}

variable "teams" {
  description = "Teams, each with a group, a pool and the right to operate what is in the pool."
  type        = map(string)
  default     = { web = "Web servers", data = "Databases" }
}

variable "on_call" {
  description = "Addresses that receive reports of failures."
  type        = set(string)
  default     = ["on-call@example.com"]

  validation {
    condition     = length(var.on_call) > 0
    error_message = "There must be at least one address."
  }
}

variable "backup_schedule" {
  description = "When backups are made, as a calendar event of Proxmox VE."
  type        = string
  default     = "21:00"
}

variable "guest_network" {
  description = "Network of the guests."
  type        = string
  default     = "10.60.0.0/24"

  validation {
    condition     = can(cidrhost(var.guest_network, 1))
    error_message = "The network must be a CIDR such as 10.60.0.0/24."
  }
}

variable "directory_password" {
  description = "Password of the account that reads the directory."
  type        = string
  default     = "change-me"
  ephemeral   = true
}

variable "influxdb_token" {
  description = "Token of the bucket that figures are sent to."
  type        = string
  default     = "change-me"
  ephemeral   = true
}
