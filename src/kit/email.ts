import { matches } from "#framework";

const name = String.raw`[\w+~-]+(?:\.[\w+~-]+)*`;
const domain = String.raw`[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*`;

/** PVE's formats `email` and `email-or-username` (pve-common: src/PVE/JSONSchema.pm). */
export const emailAddress = matches(new RegExp(`^${name}@${domain}$`), "an e-mail address");

export const emailOrUser = matches(
  new RegExp(`^(?!0$)${name}(?:@${domain})?$`),
  "an e-mail address, or the name of a user",
);
