// The organization: its settings, and what it offers to the writing of messages.
import type {
  CustomProfileFieldsEvent,
  RealmEmojiAddEvent,
  RealmEmojiUpdateEvent,
  RealmEmojiUpdateOneEvent,
  RealmLinkifiersEvent,
  RealmPlaygroundsEvent,
  RealmUpdateDictEvent,
  RealmUpdateEvent,
  RealmUserSettingsDefaultsUpdateEvent,
} from '@rialto/sdk';
import { emojiFrom, fieldFrom, linkifierFrom, playgroundFrom } from '../convert.ts';
import { changed, type Changed, type State } from '../state.ts';

/** In the events for those who show it; the state has the text alone. */
const NOT_KEPT = new Set(['rendered_description']);

export function applyOrganization(
  state: State,
  event: RealmUpdateEvent | RealmUpdateDictEvent,
): Changed {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const kept = Object.entries(data).filter(([name]) => !NOT_KEPT.has(name));
  state.organization = {
    ...state.organization,
    settings: { ...state.organization.settings, ...Object.fromEntries(kept) },
  };
  return changed('organization');
}

export function applyUserDefault(
  state: State,
  { property, value }: RealmUserSettingsDefaultsUpdateEvent,
): Changed {
  const { organization } = state;
  const userDefaults = { ...organization.userDefaults, [property]: value };
  state.organization = { ...organization, userDefaults };
  return changed('organization');
}

export function applyEmoji(
  state: State,
  event: RealmEmojiUpdateEvent | RealmEmojiAddEvent | RealmEmojiUpdateOneEvent,
): Changed {
  if (event.op === 'add') state.emoji.set(event.emoji.id, emojiFrom(event.emoji));
  else if (event.op === 'update') {
    state.emoji.clear();
    for (const row of Object.values(event.realm_emoji)) state.emoji.set(row.id, emojiFrom(row));
  } else {
    const known = state.emoji.get(event.emoji_id);
    if (known !== undefined) {
      state.emoji.set(known.id, { ...known, isDeactivated: event.data.deactivated });
    }
  }
  return changed('emoji');
}

export function applyLinkifiers(state: State, event: RealmLinkifiersEvent): Changed {
  state.linkifiers = event.realm_linkifiers.map(linkifierFrom);
  return changed('linkifiers');
}

export function applyPlaygrounds(state: State, event: RealmPlaygroundsEvent): Changed {
  state.playgrounds = event.realm_playgrounds.map(playgroundFrom);
  return changed('playgrounds');
}

export function applyProfileFields(state: State, event: CustomProfileFieldsEvent): Changed {
  state.profileFields = event.fields.map(fieldFrom);
  return changed('profileFields');
}
