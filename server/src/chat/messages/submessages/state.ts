// Submessages are no part of a client's state: they come with the messages that it reads.
import { notInState, type RegisterPart } from '../../register-part.ts';
import { SubmessageAdded } from './events.ts';

export const submessagesPart = {
  events: [SubmessageAdded],
  applyInTests: { submessage: notInState },
} satisfies RegisterPart;
