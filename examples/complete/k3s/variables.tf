variable "cluster_name" {
  description = "Begins the name of every VM."
  type        = string
  default     = "k3s"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$", var.cluster_name))
    error_message = "cluster_name must be lower-case letters, digits and hyphens, beginning with a letter: it becomes part of host names."
  }
}

variable "template" {
  description = "Name or VMID of a cloud image template with its disk at scsi0."
  type        = string
  default     = "debian-13-cloud"
}

variable "servers" {
  description = "How many servers (control planes)."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3, 5], var.servers)
    error_message = "servers must be 1, 3 or 5: embedded etcd needs a majority."
  }
}

variable "agents" {
  description = "How many agents (workers)."
  type        = number
  default     = 2

  validation {
    condition     = var.agents >= 0 && var.agents <= 50 && floor(var.agents) == var.agents
    error_message = "agents must be a whole number from 0 to 50."
  }
}

variable "network" {
  description = "Where the VMs live; servers from first_host on, agents from first_host + 10 on."
  type        = object({ cidr = string, gateway = string, dns = list(string), first_host = number })
  default     = { cidr = "10.0.40.0/24", gateway = "10.0.40.1", dns = ["10.0.40.1"], first_host = 11 }

  validation {
    condition     = can(cidrhost(var.network.cidr, var.network.first_host + 60))
    error_message = "network.cidr must be an IPv4 network such as 10.0.40.0/24, with room for 60 hosts after first_host."
  }
}

variable "ssh_keys" {
  description = "Public keys that may log in as `ops`."
  type        = list(string)
  default     = []

  validation {
    condition     = alltrue([for key in var.ssh_keys : can(regex("^(ssh|ecdsa|sk)-", key))])
    error_message = "ssh_keys must be public keys, such as the contents of ~/.ssh/id_ed25519.pub."
  }
}

variable "join_token" {
  description = "Secret the nodes join with."
  type        = string
  sensitive   = true
  default     = "change-me-before-use"

  validation {
    condition     = length(var.join_token) >= 16
    error_message = "join_token must have at least 16 characters."
  }
}
