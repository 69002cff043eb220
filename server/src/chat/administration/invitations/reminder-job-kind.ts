// The job of invitations, apart from its work (jobs.ts), for the code that queues it.
import { Type, type Static } from 'typebox';
import type { JobKind } from '../../../platform/jobs/kind.ts';

/** The job checks whether the reminder is still due. */
const Reminder = Type.Object({
  invitationId: Type.Integer(),
  /** The origin of links: the worker has no request to take it from. */
  origin: Type.String(),
});

export const REMINDER = {
  name: 'remind-invitee',
  input: Reminder,
  attemptsMax: 10,
} satisfies JobKind<Static<typeof Reminder>>;
