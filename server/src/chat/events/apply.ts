// State plus event gives the next state: what a client does, as one pure function. The tests use it to
// prove that events tell the whole truth.
import type { Static } from 'typebox';
import type {
  GroupMembersAdded,
  GroupMembersRemoved,
  UserAdded,
  UserUpdated,
} from '../../accounts/users/events.ts';
import type { Draft, DraftRemoved, DraftsAdded, DraftUpdated } from '../drafts/events.ts';
import { applyDraftsEvent } from '../drafts/state.ts';
import type { SettingUpdated } from '../settings/events.ts';
import { applySettingEvent, type SettingsState } from '../settings/state.ts';
import { applyGroupEvent, applyUserEvent, ownRights, type PeopleState } from '../users/state.ts';

export type ClientState = PeopleState & {
  readonly user_id: number;
  readonly drafts: readonly Draft[];
  readonly user_settings: SettingsState;
  readonly realm_user_groups: readonly {
    readonly id: number;
    readonly members: readonly number[];
  }[];
};

export type ChatEvent =
  | Static<typeof DraftsAdded>
  | Static<typeof DraftUpdated>
  | Static<typeof DraftRemoved>
  | Static<typeof UserAdded>
  | Static<typeof UserUpdated>
  | Static<typeof GroupMembersAdded>
  | Static<typeof GroupMembersRemoved>
  | Static<typeof SettingUpdated>;

export function applyEvent(state: ClientState, event: ChatEvent): ClientState {
  switch (event.type) {
    case 'drafts':
      return { ...state, drafts: applyDraftsEvent(state.drafts, event) };
    case 'realm_user':
      return { ...state, ...applyUserEvent(state, event), ...ownChanges(state, event) };
    case 'user_group':
      return { ...state, realm_user_groups: applyGroupEvent(state.realm_user_groups, event) };
    default:
      return {
        ...state,
        user_settings: applySettingEvent(state.user_settings, event),
        // Whoever stops synchronising has no drafts on the server any more.
        ...(event.property === 'enable_drafts_synchronization' && !event.value && { drafts: [] }),
      };
  }
}

/** What the client knows of its own user stands outside the lists. */
function ownChanges(
  { user_id }: ClientState,
  event: Static<typeof UserAdded> | Static<typeof UserUpdated>,
): object {
  if (event.op !== 'update' || event.person.user_id !== user_id) return {};
  const { person } = event;
  if ('role' in person) return ownRights(person);
  return 'full_name' in person ? { full_name: person.full_name } : {};
}
