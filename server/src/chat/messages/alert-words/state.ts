// Alert words in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import type { RegisterPart } from '../../register-part.ts';
import { AlertWordsChanged } from './events.ts';
import { listWords } from './store.ts';

export const alertWordsPart = {
  load: {
    alert_words: async ({ db, user }) => ({ alert_words: await listWords(db, user.id) }),
  },
  events: [AlertWordsChanged],
  applyInTests: {
    alert_words: (_state: unknown, { alert_words }: Static<typeof AlertWordsChanged>) => ({
      alert_words,
    }),
  },
} satisfies RegisterPart;
