// The organization in a client's initial state, and how that state follows from it with the events.
import type { Static } from 'typebox';
import { findFirstJoined } from '../../../accounts/users/access.ts';
import type { RegisterPart, StateQuery } from '../../register-part.ts';
import { defaultSettings, type SettingsState } from '../setting-definitions/definitions.ts';
import { readOrganization, type Organization } from './access.ts';
import { REALM_EVENTS, type RealmEvent, type UserDefaultUpdated } from './events.ts';
import { realmFields, withDerived, type RealmState } from './realm.ts';

export const loadOrganization = ({ db, ctx }: StateQuery): Promise<Organization> =>
  readOrganization(db, ctx.config);

/** Rendered text is in the event for clients that show it; the state has the text alone. */
const NOT_KEPT = new Set(['rendered_description']);

function applyRealmEvent(state: RealmState, event: RealmEvent): RealmState {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const changed = Object.entries(data).filter(([name]) => !NOT_KEPT.has(name));
  return withDerived({
    ...state,
    ...Object.fromEntries(changed.map(([name, value]) => [`realm_${name}`, value])),
  });
}

export const orgPart = {
  load: {
    realm: async ({ ctx, db, once }) =>
      realmFields(ctx, await once(loadOrganization), (await findFirstJoined(db)) ?? new Date(0)),
    realm_user_settings_defaults: async ({ once }) => ({
      realm_user_settings_defaults: defaultSettings((await once(loadOrganization)).userDefaults),
    }),
  },
  events: REALM_EVENTS,
  applyInTests: {
    realm: applyRealmEvent,
    realm_user_settings_defaults: (
      state: { readonly realm_user_settings_defaults: SettingsState },
      { property, value }: Static<typeof UserDefaultUpdated>,
    ) => ({
      realm_user_settings_defaults: { ...state.realm_user_settings_defaults, [property]: value },
    }),
  },
} satisfies RegisterPart;
