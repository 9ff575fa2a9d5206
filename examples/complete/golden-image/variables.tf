variable "name" {
  description = "What the image is called here."
  type        = string
  default     = "debian-13-golden"
}

variable "image" {
  description = "Where it comes from. The checksum pins it: another file at the same address is refused."
  type        = object({ url = string, checksum = string, version = string })
  default = {
    url      = "https://cloud.example.com/images/debian-13-genericcloud-amd64.qcow2"
    checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    version  = "20260101"
  }

  validation {
    condition     = can(regex("^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$", var.image.checksum))
    error_message = "image.checksum must be sha256: or sha512: and the checksum in small letters, as the makers of the image publish it."
  }
}

variable "node" {
  description = "Node that downloads the image and has the template."
  type        = string
  default     = "pve1"
}

variable "image_storage" {
  description = "Storage for the image, with content `import`."
  type        = string
  default     = "local"
}

variable "disk_storage" {
  description = "Storage for disks."
  type        = string
  default     = "local-lvm"
}

variable "vms" {
  description = "How many VMs to clone from it."
  type        = number
  default     = 2

  validation {
    condition     = var.vms >= 0 && var.vms <= 100
    error_message = "vms must be from 0 to 100."
  }
}
