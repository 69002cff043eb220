// Invitations are no part of a client's state: a client that shows them fetches the list when it hears of a change.
import { notInState, type RegisterPart } from '../../register-part.ts';
import { InvitesChanged } from './events.ts';

export const invitationsPart = {
  events: [InvitesChanged],
  applyInTests: { invites_changed: notInState },
} satisfies RegisterPart;
