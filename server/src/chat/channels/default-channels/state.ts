// The default channels in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import { ROLE } from '../../../accounts/roles.ts';
import type { RegisterPart } from '../../register-part.ts';
import { DefaultChannels } from './events.ts';
import { listDefaultChannelIds } from './store.ts';

export const defaultChannelsPart = {
  load: {
    default_streams: async ({ db, user }) => ({
      realm_default_streams: user.role === ROLE.guest ? [] : await listDefaultChannelIds(db),
    }),
  },
  events: [DefaultChannels],
  applyInTests: {
    default_streams: (_state: unknown, { default_streams }: Static<typeof DefaultChannels>) => ({
      realm_default_streams: default_streams,
    }),
  },
} satisfies RegisterPart;
