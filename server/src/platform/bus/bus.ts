// Fast notifications between processes. No message on the bus must be relied on: a process that
// misses one reads the event log, and a request without an answer is reported as such.

export interface BusSubscription {
  unsubscribe(): void;
}

export interface Bus {
  /** Delivers at most once and never blocks; messages are dropped while the bus is unreachable. */
  publish(subject: string, payload: string): void;
  /** Every subscriber gets every message, in the order of one publisher. */
  subscribe(subject: string, handler: (payload: string) => void): BusSubscription;
  /** Asks the server of `subject`; rejects with BusUnavailable or BusTimeout. */
  request(subject: string, payload: string, timeoutMs: number): Promise<string>;
  /** Answers requests; if several processes serve one subject, one of them gets each request. */
  serve(subject: string, handler: (payload: string) => Promise<string>): BusSubscription;
  isConnected(): boolean;
  close(): Promise<void>;
}

/** NATS refuses more than a megabyte by default; both implementations stay a little below. */
export const PAYLOAD_BYTES_MAX = 1_000_000;

export class BusUnavailable extends Error {
  override name = 'BusUnavailable';
}

export class BusTimeout extends Error {
  override name = 'BusTimeout';
}

export class PayloadTooLarge extends Error {
  override name = 'PayloadTooLarge';
}

export function checkPayload(subject: string, payload: string): void {
  // A UTF-16 unit takes at most three bytes, so most payloads need no counting.
  if (payload.length * 3 <= PAYLOAD_BYTES_MAX) return;
  const bytes = Buffer.byteLength(payload);
  if (bytes > PAYLOAD_BYTES_MAX) {
    throw new PayloadTooLarge(`${bytes} bytes for ${subject}; at most ${PAYLOAD_BYTES_MAX} fit.`);
  }
}
