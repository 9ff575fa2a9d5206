/** An endpoint or a matcher of notifications.cfg. */
export interface NotificationEntry {
  readonly type: "gotify" | "matcher" | "sendmail" | "smtp" | "webhook";
  options: Record<string, string | number | string[]>;
  /** Stored in a separate file: passwords, tokens and webhook secrets. */
  secrets: Record<string, string | string[]>;
}

/** By name; endpoints and matchers share one namespace. */
export type Notifications = Record<string, NotificationEntry>;
