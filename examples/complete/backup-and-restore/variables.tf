variable "node" {
  description = "Node on which backups are restored."
  type        = string
  default     = "pve1"
}

variable "storage" {
  description = "Storage of the backups. A shared one can be read by every node."
  type        = string
  default     = "nas"
}

variable "schedule" {
  description = "When guests are backed up, as a calendar event."
  type        = string
  default     = "02:30"
}

variable "bridge" {
  description = "Bridge of restored guests, apart from the network of the originals."
  type        = string
  default     = "vmbr1"
}

variable "vms" {
  description = "VMs to restore: the name of the copy, and the VMID of the VM that was backed up."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for vmid in values(var.vms) : can(regex("^[1-9][0-9]{2,8}$", vmid))])
    error_message = "Each value must be a VMID, such as \"101\"."
  }
}

variable "containers" {
  description = "Containers to restore: the name of the copy, and the VMID of the container that was backed up."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for vmid in values(var.containers) : can(regex("^[1-9][0-9]{2,8}$", vmid))])
    error_message = "Each value must be a VMID, such as \"102\"."
  }
}
