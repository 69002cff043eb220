// Who types is no part of a client's state: a client that just came hears the next signal.
import { notInState, type RegisterPart } from '../../register-part.ts';
import { TYPING_EVENTS } from './events.ts';

export const typingPart = {
  events: TYPING_EVENTS,
  applyInTests: { typing: notInState, typing_edit_message: notInState },
} satisfies RegisterPart;
