/**
 * What to do about an object that Proxmox VE keeps since another one refers to it. Terraform gives no warning: the plan of a
 * removal does not know the resources that are changed after it.
 */
export const takeOutFirst =
  "Terraform removes this object before it changes those that refer to it. Take the reference out first, in an apply of its own (`terraform apply -target=ADDRESS` of the resource that uses it), then apply again. If the object only gets another name, `lifecycle { create_before_destroy = true }` in its block is enough: the new one is created first, and the old one removed last.";
