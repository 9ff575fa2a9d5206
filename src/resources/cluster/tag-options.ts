import { bool, group, inherits, map, matches, oneOf, set, string } from "#kit";

const tag = string({
  check: matches(/^[A-Za-z0-9_][A-Za-z0-9_\-+.]*$/, "a tag: letters, digits, `_`, `-`, `+` and `.`"),
});

const parseColors = (raw: unknown): Record<string, string> =>
  Object.fromEntries(
    String(raw)
      .split(";")
      .map((entry) => [entry.replace(/:.*/, ""), entry.replace(/^[^:]*:/, "")]),
  );

const printColors = (colors: unknown): string =>
  Object.entries(colors as Record<string, string>)
    .map(([name, color]) => `${name}:${color}`)
    .sort()
    .join(";");

/** Which tags guests have, who may set them, and how they look. */
export const tagOptions = {
  registered_tags: inherits(
    set(tag),
    "registered-tags",
    "Tags that only callers with `Sys.Modify` on `/` may set on guests.",
    { separator: ";" },
  ),
  user_tag_access: group(
    {
      user_allow: inherits(
        oneOf(["none", "list", "existing", "free"]),
        "user-tag-access/user-allow",
        "Tags that users may set: `none`, those of `user_allow_list`, those and the ones that guests have (`existing`), or any (`free`, the default).",
      ),
      user_allow_list: inherits(set(tag), "user-tag-access/user-allow-list", "Tags that users may set.", {
        as: {
          parse: (raw) => String(raw).split(";"),
          print: (tags) => [...(tags as readonly string[])].sort().join(";"),
        },
      }),
    },
    "Which tags users may set on guests.",
  ),
  tag_style: group(
    {
      shape: inherits(
        oneOf(["full", "circle", "dense", "none"]),
        "tag-style/shape",
        "How tags are drawn. Default: `circle`.",
      ),
      ordering: inherits(
        oneOf(["config", "alphabetical"]),
        "tag-style/ordering",
        "Order of the tags of a guest. Default: `alphabetical`.",
      ),
      case_sensitive: inherits(
        bool(),
        "tag-style/case-sensitive",
        "Whether upper and lower case differ in tags. Default: they do not.",
      ),
      color_map: inherits(
        map(
          string({
            check: matches(
              /^[0-9A-Fa-f]{6}(:[0-9A-Fa-f]{6})?$/,
              'a colour such as "ff0000", or one and that of the text: "ff0000:ffffff"',
            ),
          }),
          { min: 1 },
        ),
        "tag-style/color-map",
        "Colours by tag: `ff0000`, or `ff0000:ffffff` with the colour of the text.",
        { as: { parse: parseColors, print: printColors } },
      ),
    },
    "How the web interface shows tags.",
  ),
} as const;
