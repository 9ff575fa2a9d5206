import type { Fields } from "./reader.ts";

/** What PVE shows in the place of a password of cloud-init. */
const mask = "**********";

/** Options that hold a secret, wherever they are: an answer that shows one leaves nothing behind. */
const secret =
  /^(?:password|client-key|encryption-key|keyring|secret|token|data|key|subscription_key|private[-_]key|otp|keys|otel-headers)$/;

/** A list of options as one text, `type=yubico,id=client,key=…`, and the secrets in it. */
const isOptionList = (text: string): boolean => /^[\w-]+=[^,\s]*(?:,[\w-]+=[^,\s]*)*$/.test(text);
const secretOption = /(?<=(?:^|,)(?:password|key|secret|token)=)[^,]+/g;

/** A name and a password in an address: `http://user:secret@proxy`. */
const credentials = /(?<=:\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g;

export const hasCredentials = (text: string): boolean => text.search(credentials) >= 0;

/** A seed without secrets. Those that an export makes up for tokens are kept. */
export function withoutSecrets(seed: Fields): Fields {
  const { tokens, ...others } = seed;
  return { ...(clean(others) as Fields), ...(tokens === undefined ? {} : { tokens }) };
}

function clean(value: unknown): unknown {
  if (typeof value === "string")
    return (isOptionList(value) ? value.replaceAll(secretOption, mask) : value).replaceAll(credentials, mask);
  if (Array.isArray(value)) return value.map((one) => clean(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !(secret.test(name) && typeof one === "string"))
      .map(([name, one]) => [name, name === "cipassword" ? mask : clean(one)]),
  );
}
