import { quoteMark } from "./quote.ts";

/** What a terminal would take for an order, or would show as something else; tabs and line feeds are plain. */
const special = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The text with its control and direction characters as codes: in JSON and in HCL the same value. */
export const plainText = (text: string): string =>
  text.replaceAll(special, (char) =>
    [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );

/** The text where one line is expected: a summary, a progress line, a line of a log. */
export const plainLine = (text: string): string => plainText(text.trim().replaceAll(/[\t\r\n]+/g, " "));

/** A text of several lines: of the characters below the blank, only line feeds are left. */
export const plainLines = (text: string): string => plainText(text).replaceAll("\t", " ");

/** How Terraform and OpenTofu begin a message, and the frame around it. No text of ours has a line that begins so. */
const head = /^(?=[ \t]?(?:[╷│╵]|(?:Error|Warning):))/gimu;

/** A text of several lines, none of which looks like the beginning of another message. */
export const plainMessage = (text: string): string => plainLines(text).replaceAll(head, quoteMark);
