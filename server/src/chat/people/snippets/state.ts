// Saved texts in a client's initial state, and how that state follows from it with the events.
import type { Snippet, SnippetEvent } from './events.ts';

export { listSnippets } from './store.ts';

export function applySnippetEvent(snippets: readonly Snippet[], event: SnippetEvent): Snippet[] {
  switch (event.op) {
    case 'add':
      return [...snippets, event.saved_snippet];
    case 'update':
      return snippets.map((one) => (one.id === event.saved_snippet.id ? event.saved_snippet : one));
    default:
      return snippets.filter(({ id }) => id !== event.saved_snippet_id);
  }
}
