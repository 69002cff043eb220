// Updates permissions that name somebody. They show only active people, so they change when that person leaves or comes
// back.
import type { Tx } from '../../../platform/db/transaction.ts';
import { listChannels } from '../../conversations/channel/access.ts';
import { channelUpdated } from '../../conversations/channel/events.ts';
import { announceRights } from '../../conversations/channel-rights/actions.ts';
import { groupUpdated } from '../groups/events.ts';
import { realmUpdatedTogether } from '../../organization/org/events.ts';
import {
  listUsesOfUser,
  permissionsIn,
  readChannelPermissions,
  readGroupPermissions,
  readOrganizationPermissions,
  SIGHT_SETTINGS,
} from '../../rights/permissions/access.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';

const EVERYONE = { everyone: true } as const;

export async function announceNamedPermissions(tx: Tx, userId: number): Promise<void> {
  const uses = await listUsesOfUser(tx, userId);
  if (uses.length === 0) return;
  const idsOf = (kind: string) => [
    ...new Set(uses.filter((use) => use.kind === kind).map(({ objectId }) => objectId)),
  ];
  const realm: Values = await readOrganizationPermissions(tx);
  const groups = await readGroupPermissions(tx, idsOf('group'));
  const channels = await readChannelPermissions(tx, idsOf('channel'));
  for (const { kind, objectId, setting } of uses) {
    if (kind === 'realm') {
      tx.emit(realmUpdatedTogether({ [setting]: valueOf(realm, setting) }), EVERYONE);
    } else if (kind === 'group') {
      const value = valueOf(permissionsIn(groups, objectId), setting);
      tx.emit(groupUpdated(objectId, { [setting]: value }), EVERYONE);
    } else {
      await tellChannel(tx, objectId, setting, valueOf(permissionsIn(channels, objectId), setting));
    }
  }
}

/** Nodes use this permission to decide who may know of the channel, so they must hear of it first. */
async function tellChannel(
  tx: Tx,
  channelId: number,
  setting: string,
  value: GroupSettingValue,
): Promise<void> {
  const [channel] = (await listChannels(tx)).filter(({ id }) => id === channelId);
  if (channel === undefined) return;
  if (SIGHT_SETTINGS.has(setting)) await announceRights(tx, channelId, []);
  const property = value as Parameters<typeof channelUpdated>[2];
  tx.emit(channelUpdated(channel, setting, property), { channel: channelId, who: 'aware' });
}

type Values = Readonly<Record<string, GroupSettingValue>>;

function valueOf(values: Values, setting: string): GroupSettingValue {
  const value = values[setting];
  if (value === undefined) throw new Error(`There is no permission called "${setting}".`);
  return value;
}
