// The event about invitations.
import { Type, type Static } from 'typebox';

/** Says only that the list changed; clients that show it fetch it again. */
export const InvitesChanged = Type.Object(
  { type: Type.Literal('invites_changed') },
  { additionalProperties: false },
);
export type InvitesChanged = Static<typeof InvitesChanged>;

export const invitesChanged = (): InvitesChanged => ({ type: 'invites_changed' });
