import type { ApiAnswer } from "../kernel/dispatch.ts";

/** The bytes that are sent for one answer. */
export interface Rendered {
  readonly status: number;
  /** The message whose first line is the reason phrase; undefined for the status' own. */
  readonly message: string | undefined;
  readonly contentType: string;
  readonly body: string;
}

export type Formatter = (answer: ApiAnswer) => Rendered;

const json: Formatter = (answer) => {
  const envelope = {
    data: answer.data ?? null,
    ...(hasErrors(answer) ? { errors: answer.errors } : {}),
    ...(isError(answer) ? { message: answer.message } : {}),
    ...(hasErrors(answer) ? {} : extras(answer)),
  };
  return {
    status: answer.status,
    message: answer.message,
    contentType: "application/json;charset=UTF-8",
    body: JSON.stringify(envelope),
  };
};

/** The format of the web interface: always 200, the result is in the body. */
const extjs: Formatter = (answer) => {
  const success = !hasErrors(answer) && !isError(answer);
  const envelope = {
    data: answer.data ?? null,
    ...(hasErrors(answer) ? { errors: answer.errors } : {}),
    ...(isError(answer) ? { message: answer.message, status: answer.status } : {}),
    success: success ? 1 : 0,
    ...(success ? extras(answer) : {}),
  };
  return {
    status: 200,
    message: undefined,
    contentType: "application/json;charset=UTF-8",
    body: JSON.stringify(envelope),
  };
};

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const htmljs: Formatter = (answer) => {
  const rendered = extjs(answer);
  return {
    ...rendered,
    contentType: "text/html;charset=UTF-8",
    body: rendered.body.replace(/[&<>"']/g, (character) => entities[character] as string),
  };
};

const spiceconfig: Formatter = (answer) => {
  const { data } = answer;
  const lines =
    typeof data === "object" && data !== null ? Object.entries(data).map(([key, value]) => `${key}=${value}\n`) : [];
  return {
    status: answer.status,
    message: answer.message,
    contentType: "application/x-virt-viewer;charset=UTF-8",
    body: lines.length === 0 ? "" : `[virt-viewer]\n${lines.join("")}`,
  };
};

const png: Formatter = (answer) => ({
  status: answer.status,
  message: answer.message,
  contentType: "image/png",
  body: "",
});

/** pve-http-server `src/PVE/APIServer/Formatter/Standard.pm`; `html` is not simulated. */
export const formatters: Readonly<Record<string, Formatter>> = { json, extjs, htmljs, spiceconfig, png };

const isError = (answer: ApiAnswer) => answer.status >= 400;

const hasErrors = (answer: ApiAnswer) => Object.keys(answer.errors ?? {}).length > 0;

/** `total` and `changes`, unless they are false in Perl. */
function extras(answer: ApiAnswer): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer.envelope ?? {}).filter(([, value]) => value !== 0 && value !== ""));
}
