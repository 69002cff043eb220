// Muted people in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { MutedUsersChanged } from './events.ts';
import { listMuted } from './store.ts';

export const mutedUsersPart = {
  load: {
    muted_users: async ({ db, user }) => ({ muted_users: await listMuted(db, user.id) }),
  },
  events: [MutedUsersChanged],
  applyInTests: {
    muted_users: (_state: unknown, { muted_users }: Static<typeof MutedUsersChanged>) => ({
      muted_users,
    }),
  },
} satisfies RegisterPart;
