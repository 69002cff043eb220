// Views at hand in a client's initial state, and how that state follows from it with the events.
import type { NavigationView, ViewEvent } from './events.ts';

export { listViews } from './store.ts';

export function applyViewEvent(
  views: readonly NavigationView[],
  event: ViewEvent,
): NavigationView[] {
  switch (event.op) {
    case 'add':
      return [...views, event.navigation_view];
    case 'update':
      return views.map((one) =>
        one.fragment === event.fragment ? { ...one, ...event.data } : one,
      );
    default:
      return views.filter(({ fragment }) => fragment !== event.fragment);
  }
}
