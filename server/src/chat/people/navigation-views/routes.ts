import { Type } from 'typebox';
import { chatRoute } from '../../http/route.ts';
import { addView, editView, removeView } from './actions.ts';
import { NavigationView } from './events.ts';
import { listViews } from './state.ts';

const name = Type.Optional(
  Type.Union([Type.String({ 'x-strip': true, minLength: 1, maxLength: 100 }), Type.Null()], {
    description: 'Of a view of your own; null, or the text null: none.',
  }),
);

export const getNavigationViews = chatRoute({
  name: 'get-navigation-views',
  method: 'GET',
  path: '/navigation_views',
  allow: 'guest',
  grows: 'person',
  summary: 'The views that you want at hand.',
  params: Type.Object({}),
  returns: Type.Object({ navigation_views: Type.Array(NavigationView) }),
  handle: async (ctx, actor) => ({ navigation_views: await listViews(ctx.db, actor.id) }),
});

export const postNavigationView = chatRoute({
  name: 'add-navigation-view',
  method: 'POST',
  path: '/navigation_views',
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Adds a view to those that you want at hand.',
  params: Type.Object({
    fragment: Type.String({ 'x-strip': true, minLength: 1, maxLength: 500 }),
    is_pinned: Type.Boolean({ description: 'Shown in the sidebar; otherwise under a menu.' }),
    name,
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { fragment, is_pinned, name = null }) => {
    await addView(ctx, actor, { fragment, is_pinned, name });
    return {};
  },
});

/** A fragment contains slashes. */
const path = '/navigation_views/{fragment:path}';

export const patchNavigationView = chatRoute({
  name: 'edit-navigation-view',
  method: 'PATCH',
  path,
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Pins or renames a view.',
  params: Type.Object({ is_pinned: Type.Optional(Type.Boolean()), name }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { fragment, ...given }) => {
    await editView(ctx, actor, fragment, given);
    return {};
  },
});

export const deleteNavigationView = chatRoute({
  name: 'remove-navigation-view',
  method: 'DELETE',
  path,
  allow: 'guest',
  audit: { none: 'own settings' },
  summary: 'Takes a view away.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { fragment }) => {
    await removeView(ctx, actor, fragment);
    return {};
  },
});
