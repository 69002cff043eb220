// Navigation views in a client's initial state, and how events change that state.
import type { RegisterPart } from '../../register-part.ts';
import { VIEW_EVENTS, type NavigationView, type ViewEvent } from './events.ts';
import { listViews } from './store.ts';

export { listViews };

function applyViewEvent(views: readonly NavigationView[], event: ViewEvent): NavigationView[] {
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

export const navigationViewsPart = {
  load: {
    navigation_views: async ({ db, user }) => ({ navigation_views: await listViews(db, user.id) }),
  },
  events: VIEW_EVENTS,
  applyInTests: {
    navigation_view: (
      state: { readonly navigation_views: readonly NavigationView[] },
      event: ViewEvent,
    ) => ({ navigation_views: applyViewEvent(state.navigation_views, event) }),
  },
} satisfies RegisterPart;
