import { defineDataSource, found, glob, inOrder, list, map, nested, nodesToAsk, nullable, string } from "#kit";
import { appliancesOf } from "./appliance.ts";

/** `proxmox_container_templates`. Server side: pve-manager `PVE/API2/Nodes.pm`, `aplinfo`. */
export const containerTemplatesData = defineDataSource({
  type: "proxmox_container_templates",
  subcategory: "Containers",
  doc: "Container templates that Proxmox offers for download, as `pveam available` lists them. The list is as old as the node's last `pveam update`, which runs daily.",
  attributes: {
    node: { type: string(), mode: "optional", doc: "Node to ask. Not given: the first that is online." },
    name: {
      type: string(),
      mode: "optional",
      doc: "Only templates of this name; `*` and `?` stand for any characters, any one character.",
    },
    section: {
      type: string(),
      mode: "optional",
      doc: "Only this section, such as `system`, `turnkeylinux` or `mail`.",
    },
    version: { type: string(), mode: "optional", doc: "Only this version." },
    versions: found(map(string()), "Newest version by name, of what was found."),
    templates: found(
      list(
        nested({
          name: found(string(), "Name, as `proxmox_container_template` takes it."),
          version: found(nullable(string()), "Version."),
          file: found(string(), "Name of the file."),
          os: found(nullable(string()), "Operating system, such as `debian-13`."),
          section: found(nullable(string()), "Section."),
          architecture: found(nullable(string()), "Processor architecture."),
          headline: found(nullable(string()), "Description in one line."),
        }),
      ),
      "What was found, ordered by name and version.",
    ),
  },

  async read({ api, config }) {
    const [node = ""] = await nodesToAsk(api, config.node);
    const isNamed = config.name === null ? () => true : glob(config.name);
    const wanted = (await appliancesOf(api, node)).filter(
      (one) =>
        isNamed(one.package) &&
        (config.section === null || one.section === config.section) &&
        (config.version === null || one.version === config.version),
    );
    const templates = inOrder(wanted, (one) => [one.package, one.version ?? ""]).map((one) => ({
      name: one.package,
      version: one.version ?? null,
      file: one.template,
      os: one.os ?? null,
      section: one.section ?? null,
      architecture: one.architecture ?? null,
      headline: one.headline ?? null,
    }));
    return {
      versions: Object.fromEntries(
        templates.flatMap(({ name, version }) => (version === null ? [] : [[name, version]])),
      ),
      templates,
    };
  },
});
