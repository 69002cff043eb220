// The canonical text of an event back into its members.
import { MEMBERS } from '../events.ts';
import type { EventType, PublicEvent } from '../events.ts';
import { fault, shorten } from './fault.ts';

export type NumberedEvent = PublicEvent & { seq: string };

const isType = (type: unknown): type is EventType =>
  typeof type === 'string' && Object.hasOwn(MEMBERS, type);

/** Parses JSON that a stranger wrote. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fault(`this is not JSON: ${shorten(text)}`);
  }
}

/** An event, if the text is exactly what the log writes for it. */
export function parseEvent(text: string): NumberedEvent {
  const parsed = parseJson(text) as Readonly<Record<string, unknown>> | null;
  const type = parsed?.['type'];
  if (!isType(type)) {
    fault(`an event has one of the types ${Object.keys(MEMBERS).join(', ')}: ${shorten(text)}`);
  }
  // Written anew from its members, the same text must result: this covers their order, their
  // number, white space, numbers without quotes and escapes, all at once.
  let expected = `{"seq":"${String(parsed!['seq'])}","time":"${String(parsed!['time'])}","type":"${type}"`;
  for (const name of MEMBERS[type]) expected += `,"${name}":"${String(parsed![name])}"`;
  expected += '}';
  if (expected !== text) {
    fault(
      `the text is not canonical: expected ${shorten(expected)}, but it is ${shorten(text)} (members in the documented order, all values as text, no white space)`,
    );
  }
  return parsed as unknown as NumberedEvent;
}
