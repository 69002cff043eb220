// The organization in a client's initial state, and how that state follows from it with the events.
import { roleGroupId, type RoleGroupName } from '../../../accounts/users/role-groups.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';
import type { RealmEvent } from './events.ts';
import type { Organization } from './access.ts';

export type RealmState = Readonly<Record<string, unknown>>;

/** What can change, under the names that clients have for it. */
export function realmState({ settings, permissions, waitingPeriodDays }: Organization): RealmState {
  const all = { ...settings, ...permissions, waiting_period_threshold: waitingPeriodDays };
  return withDerived(
    Object.fromEntries(Object.entries(all).map(([name, value]) => [`realm_${name}`, value])),
  );
}

/** Rendered text is in the event for clients that show it; the state has the text alone. */
const NOT_KEPT = new Set(['rendered_description']);

export function applyRealmEvent(state: RealmState, event: RealmEvent): RealmState {
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data;
  const changed = Object.entries(data).filter(([name]) => !NOT_KEPT.has(name));
  return withDerived({
    ...state,
    ...Object.fromEntries(changed.map(([name, value]) => [`realm_${name}`, value])),
  });
}

/** What older clients read instead of the settings of today. */
function withDerived(state: RealmState): RealmState {
  const policy = (setting: string) => legacyPolicy(state[`realm_${setting}`] as GroupSettingValue);
  return {
    ...state,
    realm_mandatory_topics: state['realm_topics_policy'] === 'disable_empty_topic',
    realm_allow_edit_history: state['realm_message_edit_history_visibility_policy'] !== 'none',
    realm_giphy_rating: state['realm_gif_rating_policy'],
    realm_create_public_stream_policy: policy('can_create_public_channel_group'),
    realm_create_private_stream_policy: policy('can_create_private_channel_group'),
    realm_create_web_public_stream_policy: policy('can_create_web_public_channel_group'),
    realm_wildcard_mention_policy: policy('can_mention_many_users_group'),
    realm_bot_creation_policy: policy('can_create_bots_group'),
  };
}

const POLICIES: Readonly<Record<RoleGroupName, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:internet': 5,
  'role:nobody': 6,
  'role:owners': 7,
};

const POLICY_OF_GROUP: ReadonlyMap<number, number> = new Map(
  Object.entries(POLICIES).map(([name, policy]) => [roleGroupId(name as RoleGroupName), policy]),
);

/** A number for each role; what no number says is told as members, who then hear a refusal. */
const legacyPolicy = (value: GroupSettingValue): number =>
  (typeof value === 'number' ? POLICY_OF_GROUP.get(value) : undefined) ?? POLICIES['role:members'];
