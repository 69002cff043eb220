import { Type, type Static } from 'typebox';

const name = Type.Union([Type.String(), Type.Null()]);

export const NavigationView = Type.Object(
  {
    fragment: Type.String({ description: 'What stands behind the # in the address of the view' }),
    is_pinned: Type.Boolean(),
    name,
  },
  { additionalProperties: false },
);
export type NavigationView = Static<typeof NavigationView>;

export const ViewAdded = Type.Object(
  {
    type: Type.Literal('navigation_view'),
    op: Type.Literal('add'),
    navigation_view: NavigationView,
  },
  { additionalProperties: false },
);
export const ViewUpdated = Type.Object(
  {
    type: Type.Literal('navigation_view'),
    op: Type.Literal('update'),
    fragment: Type.String(),
    data: Type.Object({ is_pinned: Type.Optional(Type.Boolean()), name: Type.Optional(name) }),
  },
  { additionalProperties: false },
);
export const ViewRemoved = Type.Object(
  {
    type: Type.Literal('navigation_view'),
    op: Type.Literal('remove'),
    fragment: Type.String(),
  },
  { additionalProperties: false },
);

export const VIEW_EVENTS = [ViewAdded, ViewUpdated, ViewRemoved];
export type ViewEvent =
  Static<typeof ViewAdded> | Static<typeof ViewUpdated> | Static<typeof ViewRemoved>;

export const viewAdded = (view: NavigationView) =>
  ({ type: 'navigation_view', op: 'add', navigation_view: view }) as const;
export const viewUpdated = (fragment: string, data: Static<typeof ViewUpdated>['data']) =>
  ({ type: 'navigation_view', op: 'update', fragment, data }) as const;
export const viewRemoved = (fragment: string) =>
  ({ type: 'navigation_view', op: 'remove', fragment }) as const;
