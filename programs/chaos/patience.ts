/** The provider's timeouts, in proportion to a cluster whose clock runs hundreds of times as fast. */
export const patience = {
  PROXMOX_VE_TASK_POLL_INTERVAL: "10ms",
  PROXMOX_VE_TASK_TIMEOUT: "4s",
  PROXMOX_VE_LOCK_WAITS: "20ms,40ms,80ms,160ms",
  PROXMOX_LOG_LEVEL: "debug",
};
