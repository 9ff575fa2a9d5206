# By volume ID; if the storage is different on each node, with the node in front: pve1/local:vztmpl/….
terraform import proxmox_oci_image.nginx nas:vztmpl/nginx_1.29.tar
