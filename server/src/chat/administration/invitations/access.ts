// What somebody may offer with an invitation, and which invitations are theirs to manage.
import { hasAtLeast, ROLE } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
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
import { insufficientPermission } from '../../rights/permissions/errors.ts';
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

/** Channels are given by whoever may add people to them; the organization's defaults by everybody who may at all. */
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
  // Only defaults are asked for. They may be, unless the caller may subscribe others nowhere at all.
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

/** One's own, or everybody's for administrators; of those that make owners, only owners have others'. */
function checkManages(actor: Actor, { inviterId, role }: Terms): void {
  if (inviterId === actor.id) return;
  if (!hasAtLeast(actor.role, 'administrator')) throw mustBeAdministrator();
  if (role === ROLE.owner && !hasAtLeast(actor.role, 'owner')) throw mustBeOwner();
}

/** The invitation by email, if `actor` manages it; it stays as it is until the transaction ends. */
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

/** What is open and `actor` may know of: everything for administrators, and otherwise one's own. */
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
  // Whoever has a link can use it: one that makes owners is not shown to those who are none.
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
