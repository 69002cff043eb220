// The rights of channels are for the other nodes. They are no part of a client's state.
import type { RegisterPart } from '../../register-part.ts';
import { RIGHTS_EVENTS } from './events.ts';

export const channelRightsPart = {
  events: [],
  internalEvents: RIGHTS_EVENTS,
} satisfies RegisterPart;
