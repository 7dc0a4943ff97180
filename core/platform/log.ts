/** A structured log line. No message text, prompt or document content ever goes into a log. */
export interface Log {
  info(event: string, facts?: Record<string, unknown>): void;
  warn(event: string, facts?: Record<string, unknown>): void;
  error(event: string, facts?: Record<string, unknown>): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };
