variable "cluster_name" {
  description = "Begins the name of every VM."
  type        = string
  default     = "talos"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$", var.cluster_name))
    error_message = "cluster_name must be lower-case letters, digits and hyphens, beginning with a letter: it becomes part of host names."
  }
}

variable "template" {
  description = "Name or VMID of a Talos template (nocloud image, disk at scsi0)."
  type        = string
  default     = "talos-1.11"
}

variable "placement" {
  description = "Proxmox VE nodes the VMs are spread over, in turn."
  type        = list(string)
  default     = ["pve1", "pve2", "pve3"]

  validation {
    condition     = length(var.placement) > 0 && length(distinct(var.placement)) == length(var.placement)
    error_message = "placement must name at least one node, and none twice."
  }
}

variable "control_planes" {
  description = "How many control plane nodes."
  type        = number
  default     = 3

  validation {
    condition     = contains([1, 3, 5], var.control_planes)
    error_message = "control_planes must be 1, 3 or 5: etcd needs a majority, and an even number only adds what can fail."
  }
}

variable "workers" {
  description = "How many workers without a GPU."
  type        = number
  default     = 2

  validation {
    condition     = var.workers >= 0 && var.workers <= 100 && floor(var.workers) == var.workers
    error_message = "workers must be a whole number from 0 to 100."
  }
}

variable "gpu_workers" {
  description = "Workers with a GPU: how many, and the PCI resource mapping they take it from."
  type        = object({ count = number, mapping = string })
  default     = { count = 0, mapping = "gpu" }

  validation {
    condition     = var.gpu_workers.count >= 0 && var.gpu_workers.count <= 20
    error_message = "gpu_workers.count must be from 0 to 20."
  }
}

variable "network" {
  description = "Where the nodes live; addresses are given out from first_host on."
  type = object({
    bridge     = string
    vlan       = optional(number)
    cidr       = string
    gateway    = string
    first_host = number
  })
  default = { bridge = "vmbr0", vlan = 30, cidr = "10.0.30.0/24", gateway = "10.0.30.1", first_host = 11 }

  validation {
    condition     = can(cidrhost(var.network.cidr, var.network.first_host + 130))
    error_message = "network.cidr must be an IPv4 network such as 10.0.30.0/24, with room for 130 hosts after first_host."
  }

  validation {
    condition     = can(cidrnetmask("${var.network.gateway}/32"))
    error_message = "network.gateway must be an IPv4 address."
  }
}

variable "first_vmid" {
  description = "The VMs take this VMID and those after it, control planes first."
  type        = number
  default     = 3000

  validation {
    condition     = var.first_vmid >= 100 && var.first_vmid < 999999800
    error_message = "first_vmid must be a VMID: 100 or more."
  }
}
