import type { Fields } from "./reader.ts";

/** What PVE shows in the place of a password of cloud-init. */
const mask = "**********";

/** Options that hold a secret, wherever they are: an answer that shows one leaves nothing behind. */
const secret =
  /^(?:password|client-key|encryption-key|keyring|secret|token|data|key|subscription_key|private[-_]key|otp|keys|otel-headers)$/;

/** A list of options as one text, `type=yubico,id=client,key=…`, and the secrets in it. */
const isOptionList = (text: string): boolean => /^[\w-]+=[^,\s]*(?:,[\w-]+=[^,\s]*)*$/.test(text);
const secretOption = /(?<=(?:^|,)(?:password|key|secret|token)=)[^,]+/g;

/** What an address has of secrets: `http://user:secret@proxy`, `?token=…`, and the paths that chat services hand out. */
const inAddresses = [
  /(?<=:\/\/)[^\s/@?#]+(?=@)/g,
  // A template names a secret of the endpoint, and is none: `?token={{ secrets.token }}`.
  /(?<=:\/\/\S*[?&][\w.-]*(?:token|key|secret|passw|pwd|auth|sig|credential|code)[\w.-]*=)(?!\{\{)[^&#\s]+/gi,
  /(?<=:\/\/\S*(?:\/services\/T\w+\/B\w+|\/webhooks\/\d+|\/bot\d+)[/:])[\w-]+/g,
];

export const hasSecret = (address: string): boolean => inAddresses.some((form) => address.search(form) >= 0);

const withoutThem = (text: string): string => inAddresses.reduce((rest, form) => rest.replaceAll(form, mask), text);

/** A seed without secrets. Those that an export makes up for tokens are kept. */
export function withoutSecrets(seed: Fields): Fields {
  const { tokens, ...others } = seed;
  return { ...(clean(others) as Fields), ...(tokens === undefined ? {} : { tokens }) };
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return withoutThem(isOptionList(value) ? value.replaceAll(secretOption, mask) : value);
  if (Array.isArray(value)) return value.map((one) => clean(one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !(secret.test(name) && typeof one === "string"))
      .map(([name, one]) => [name, name === "cipassword" ? mask : clean(one)]),
  );
}
