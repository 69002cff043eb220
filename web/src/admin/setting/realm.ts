// A setting of the organization: its value, who may change it, and how it is sent.
import type { UpdateRealmParams } from '@rialto/sdk';
import { ADMINISTRATOR, isAtLeast, OWNER } from '../../chat/rights/rights.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { useSaved, type Saved } from './use-saved.ts';

export type RealmName = keyof UpdateRealmParams;

/** What only owners may change; the server has the same list. */
const FOR_OWNERS: ReadonlySet<RealmName> = new Set<RealmName>([
  'waiting_period_threshold',
  'authentication_methods',
  'message_retention_days',
  'invite_required',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'second_factor_required',
  'create_multiuse_invite_group',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
]);

export const isForOwners = (name: RealmName): boolean => FOR_OWNERS.has(name);

export interface RealmSetting<T> extends Saved<T> {
  readonly mayChange: boolean;
  /** Whether the person could change it as an owner, and only as one. */
  readonly isForOwners: boolean;
}

/** `toWire` turns a value into what the API takes, where that is not the value itself. */
export function useRealmSetting<T>(
  name: RealmName,
  toWire: (value: T) => unknown = (value) => value,
): RealmSetting<T> {
  const store = useStore();
  const known = useSelect(store, (state) => state.organization.settings[name]) as T;
  const role = isForOwners(name) ? OWNER : ADMINISTRATOR;
  const mayChange = useSelect(store, (state) => isAtLeast(state, role));
  const saved = useSaved(known, (value: T) =>
    store.client.chat.updateRealm({ [name]: toWire(value) }),
  );
  return { ...saved, mayChange, isForOwners: isForOwners(name) };
}
