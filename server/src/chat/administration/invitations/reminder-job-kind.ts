// Jobs of invitations, as those who queue them know them; jobs.ts does the work.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

/** Says that a reminder is due; whether it still is, is asked then. */
const Reminder = Type.Object({
  invitationId: Type.Integer(),
  /** The worker has no address of its own. */
  origin: Type.String(),
});

export const REMINDER = {
  name: 'remind-invitee',
  input: Reminder,
  attemptsMax: 10,
} satisfies JobKind<Static<typeof Reminder>>;
