resource "proxmox_metric_server" "graphite" {
  id     = "graphite"
  server = "graphite.example.com"
  port   = 2003
  graphite = {
    protocol = "tcp"
    path     = "proxmox.site1"
  }
}

variable "influxdb_token" {
  type      = string
  default   = "the-token-of-the-bucket"
  ephemeral = true # reaches Proxmox VE and neither the plan nor the state
}

resource "proxmox_metric_server" "influxdb" {
  id     = "influxdb"
  server = "influxdb.example.com"
  port   = 8086
  influxdb = {
    protocol      = "https"
    organization  = "example"
    bucket        = "proxmox"
    token         = var.influxdb_token
    token_version = 1 # raise it to send the token again
  }
}
