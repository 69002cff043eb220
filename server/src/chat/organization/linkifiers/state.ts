// Linkifiers in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { LinkifiersChanged } from './events.ts';
import { listLinkifiers } from './store.ts';

export const linkifiersPart = {
  load: {
    realm_linkifiers: async ({ db, options }) => ({
      realm_linkifiers: options.knowsLinkifiers ? await listLinkifiers(db) : [],
    }),
  },
  events: [LinkifiersChanged],
  applyInTests: {
    realm_linkifiers: (
      _state: unknown,
      { realm_linkifiers }: Static<typeof LinkifiersChanged>,
    ) => ({ realm_linkifiers }),
  },
} satisfies RegisterPart;
