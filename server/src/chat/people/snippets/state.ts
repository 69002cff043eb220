// Saved snippets in a client's initial state, and how events change that state.
import type { RegisterPart } from '../../register-part.ts';
import { SNIPPET_EVENTS, type Snippet, type SnippetEvent } from './events.ts';
import { listSnippets } from './store.ts';

export { listSnippets };

function applySnippetEvent(snippets: readonly Snippet[], event: SnippetEvent): Snippet[] {
  switch (event.op) {
    case 'add':
      return [...snippets, event.saved_snippet];
    case 'update':
      return snippets.map((one) => (one.id === event.saved_snippet.id ? event.saved_snippet : one));
    default:
      return snippets.filter(({ id }) => id !== event.saved_snippet_id);
  }
}

export const snippetsPart = {
  load: {
    saved_snippets: async ({ db, user }) => ({ saved_snippets: await listSnippets(db, user.id) }),
  },
  events: SNIPPET_EVENTS,
  applyInTests: {
    saved_snippets: (
      state: { readonly saved_snippets: readonly Snippet[] },
      event: SnippetEvent,
    ) => ({
      saved_snippets: applySnippetEvent(state.saved_snippets, event),
    }),
  },
} satisfies RegisterPart;
