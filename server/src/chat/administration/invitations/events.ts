import { Type, type Static } from 'typebox';

/** Says only that the list is another now: whoever shows it fetches it again. */
export const InvitesChanged = Type.Object(
  { type: Type.Literal('invites_changed') },
  { additionalProperties: false },
);
export type InvitesChanged = Static<typeof InvitesChanged>;

export const invitesChanged = (): InvitesChanged => ({ type: 'invites_changed' });
