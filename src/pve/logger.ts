/** What this layer needs of a log: it is handed one and never knows where the lines go. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
