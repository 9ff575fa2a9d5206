variable "bridge" {
  description = "Bridge that carries the VLAN on every node."
  type        = string
  default     = "vmbr0"
}

variable "vlan" {
  description = "VLAN of the web servers."
  type        = number
  default     = 20

  validation {
    condition     = var.vlan >= 1 && var.vlan <= 4094
    error_message = "A VLAN must be from 1 to 4094."
  }
}

variable "template" {
  description = "Template of the servers."
  type        = string
  default     = "debian-13-cloud"
}

variable "servers" {
  description = "How many servers."
  type        = number
  default     = 2

  validation {
    condition     = var.servers >= 1 && var.servers <= 20
    error_message = "There must be from 1 to 20 servers."
  }
}

variable "admins" {
  description = "Networks from which administrators log in."
  type        = list(string)
  default     = ["198.51.100.0/24"]

  validation {
    condition     = alltrue([for network in var.admins : can(cidrhost(network, 0))])
    error_message = "Each network must be a CIDR such as 198.51.100.0/24."
  }
}
