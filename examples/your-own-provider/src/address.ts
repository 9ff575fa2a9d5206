/** What configurations name as `source`. */
export const address = "registry.terraform.io/your-name/shelf";
