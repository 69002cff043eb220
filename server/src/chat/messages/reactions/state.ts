// Reactions are no part of a client's state: they come with the messages that it reads.
import { notInState, type RegisterPart } from '../../register-part.ts';
import { REACTION_EVENTS } from './events.ts';

export const reactionsPart = {
  events: REACTION_EVENTS,
  applyInTests: { reaction: notInState },
} satisfies RegisterPart;
