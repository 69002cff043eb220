// Signals, which may be lost: who is typing, who is online. A signal goes directly over the bus to the queues that
// the nodes hold; it is in no log, and a client that was away never gets it.
import { PayloadTooLarge, type Bus } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import type { Audience, LoggedEvent, OutgoingEvent } from '../events/event.ts';

type Row = [type: string, payload: string, audience: Audience];

/** Returns at once. A signal that is too large for one message is lost, as is one sent while the bus is down. */
export function sendSignal(bus: Bus, event: OutgoingEvent, audience: Audience): void {
  const row: Row = [event.type, JSON.stringify(event), audience];
  try {
    bus.publish(SUBJECTS.signal, JSON.stringify(row));
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error;
  }
}

/** A signal in the form in which directories shape events. It has no position in the log. */
export function decodeSignal(text: string): LoggedEvent {
  const [type, payload, audience] = JSON.parse(text) as Row;
  return { position: 0, xid: 0n, type, payload, audience, rightsOf: [] };
}
