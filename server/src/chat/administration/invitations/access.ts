// What somebody may promise in an invitation, and which invitations they may manage.
import { hasAtLeast, ROLE } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import {
  listChannels,
  viewChannels,
  type ChannelView,
} from '../../conversations/channel/access.ts';
import { listDefaultChannelIds } from '../../channels/default-channels/access.ts';
import { accessGroup } from '../groups/access.ts';
import {
  canAddMembers,
  canAddSubscribers,
  canReadChannel,
  type Rights,
} from '../../rights/permissions/rights.ts';
import {
  maySubscribeNobody,
  mustBeAdministrator,
  mustBeOwner,
  noSuchInvitation,
  unknownChannel,
} from './errors.ts';
import { sealOwner } from './key.ts';
import {
  listOpen,
  listOpenLinks,
  lockInvitation,
  lockLink,
  type Invitation,
  type InvitationLink,
  type Terms,
} from './store.ts';

/**
 * To give a channel, the inviter needs the right to add people to it. A default channel needs that right for any
 * channel.
 */
export async function checkChannels(
  tx: Tx,
  rights: Rights,
  channelIds: readonly number[],
): Promise<void> {
  if (channelIds.length === 0) return;
  const wanted = new Set(channelIds);
  const all = await listChannels(tx);
  const views = await viewChannels(
    tx,
    rights.id,
    all.filter(({ id }) => wanted.has(id)),
  );
  const known = new Set(views.filter((view) => isOpenTo(rights, view)).map(({ id }) => id));
  for (const id of wanted) if (!known.has(id)) throw unknownChannel(id);
  const defaults = new Set(await listDefaultChannelIds(tx));
  const isOffered = (view: ChannelView) => canAddSubscribers(rights, view) || defaults.has(view.id);
  if (!views.every(isOffered)) throw maySubscribeNobody();
  if (views.some((view) => canAddSubscribers(rights, view))) return;
  // Only default channels remain. The caller needs the right to add people to at least one channel.
  const others = await viewChannels(tx, rights.id, all);
  if (!others.some((view) => isOpenTo(rights, view) && canAddSubscribers(rights, view))) {
    throw maySubscribeNobody();
  }
}

const isOpenTo = (rights: Rights, view: ChannelView): boolean =>
  !view.isArchived && canReadChannel(rights, view);

export async function checkGroups(
  tx: Tx,
  rights: Rights,
  groupIds: readonly number[],
): Promise<void> {
  for (const id of new Set(groupIds)) {
    if (!canAddMembers(rights, await accessGroup(tx, id))) throw insufficientPermission();
  }
}

type Actor = Pick<User, 'id' | 'role'>;

/**
 * People manage their own invitations, administrators everybody's. Others' invitations of owners are only for owners.
 */
function checkManages(actor: Actor, { inviterId, role }: Terms): void {
  if (inviterId === actor.id) return;
  if (!hasAtLeast(actor.role, 'administrator')) throw mustBeAdministrator();
  if (role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw mustBeOwner();
}

/** The invitation by email, locked until the commit. Refuses if `actor` may not manage it. */
export async function accessInvitation(tx: Tx, actor: Actor, id: number): Promise<Invitation> {
  const invitation = await lockInvitation(tx, id);
  if (invitation === undefined || invitation.linkId !== null) throw noSuchInvitation();
  checkManages(actor, invitation);
  return invitation;
}

export async function accessLink(tx: Tx, actor: Actor, id: number): Promise<InvitationLink> {
  const link = await lockLink(tx, id);
  if (link === undefined) throw noSuchInvitation();
  checkManages(actor, link);
  return link;
}

const fieldsOf = ({ inviterId, invitedAt, expiresAt, role }: Terms) => ({
  invited_by_user_id: inviterId,
  invited: unixSeconds(invitedAt),
  expiry_date: expiresAt && unixSeconds(expiresAt),
  invited_as: role,
});

export const linkUrl = (origin: string, key: string): string => `${origin}/join/${key}/`;

/** The open invitations that `actor` may see: all of them for administrators, otherwise the actor's own. */
export async function listInvites(
  db: Db,
  { clock, secrets }: Pick<Context, 'clock' | 'secrets'>,
  actor: Actor,
  origin: string,
) {
  const inviterId = hasAtLeast(actor.role, 'administrator') ? undefined : actor.id;
  const now = new Date(clock.now());
  const emailed = await listOpen(db, now, inviterId);
  const links = await listOpenLinks(db, now, inviterId);
  // Anybody can use a link they see, so only people with at least its role get its address.
  const mayHave = ({ inviterId: by, role }: Terms) => by === actor.id || role >= actor.role;
  return [
    ...emailed.map((one) => ({
      id: one.id,
      ...fieldsOf(one),
      email: one.email,
      notify_referrer_on_join: one.notifiesInviter,
      is_multiuse: false,
    })),
    ...links.map((one) => ({
      id: one.id,
      ...fieldsOf(one),
      link_url: mayHave(one)
        ? linkUrl(origin, secrets.open(sealOwner(one.keyLookup), one.keySealed))
        : '',
      is_multiuse: true,
    })),
  ];
}
