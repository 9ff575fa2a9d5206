# A VM uses it by `cpu = { type = "custom-nested" }`.
resource "proxmox_cpu_model" "nested" {
  name           = "nested"
  reported_model = "host"
  flags          = ["+aes", "-pcid"]
  hidden         = true
}
