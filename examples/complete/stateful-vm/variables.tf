variable "name" {
  description = "Name of the VM."
  type        = string
  default     = "db-1"
}

variable "template" {
  description = "Template of the operating system, by name or VMID. Another one replaces the VM and keeps the data."
  type        = string
  default     = "ubuntu-24.04-cloud"
}

variable "node" {
  description = "Node of the VM and of the disk."
  type        = string
  default     = "pve1"
}

variable "data_storage" {
  description = "Storage of the data, with content `images`."
  type        = string
  default     = "local-lvm"
}

variable "data_size" {
  description = "Size of the data disk. It can only grow."
  type        = string
  default     = "50G"

  validation {
    condition     = can(regex("^[0-9]+[GT]$", var.data_size))
    error_message = "data_size must be a size such as 50G or 1T."
  }
}

variable "destroy_data" {
  description = "Whether `terraform destroy` may destroy the data. It must be applied before."
  type        = bool
  default     = false
}
