// Playgrounds in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { PlaygroundsChanged } from './events.ts';
import { listPlaygrounds } from './store.ts';

export const playgroundsPart = {
  load: { realm_playgrounds: async ({ db }) => ({ realm_playgrounds: await listPlaygrounds(db) }) },
  events: [PlaygroundsChanged],
  applyInTests: {
    realm_playgrounds: (
      _state: unknown,
      { realm_playgrounds }: Static<typeof PlaygroundsChanged>,
    ) => ({ realm_playgrounds }),
  },
} satisfies RegisterPart;
