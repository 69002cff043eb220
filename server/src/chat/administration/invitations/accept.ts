// Accepts an invitation: creates an account with everything that was promised and that the inviter may still give, in
// one transaction.
import { noteAct } from '../../../accounts/audit/actions.ts';
import { checkPassword } from '../../../accounts/passwords/rules.ts';
import { holdUser } from '../../../accounts/users/access.ts';
import { prepareUser, type PreparedUser } from '../../../accounts/users/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listChannels, viewChannels } from '../../conversations/channel/access.ts';
import type { Channel } from '../../conversations/channel/channel.ts';
import { listDefaultChannelIds } from '../../channels/default-channels/access.ts';
import { addToGroups, listGroupsToJoin } from '../groups/joining.ts';
import { listRecentAtHome } from '../../messages/message/access.ts';
import { announceJoined, tellAccepted, tellWelcome } from '../../messages/notices/actions.ts';
import { findSignupChannel, holdToWrite } from '../../messages/notices/channels.ts';
import { readOrganization } from '../../organization/org/access.ts';
import { canAddSubscribers, canReadChannel, type Rights } from '../../rights/permissions/rights.ts';
import { startReading } from '../../messages/read-state/marking.ts';
import { holdConversations } from '../../channels/subscriptions/members.ts';
import { addPerson } from '../users/actions.ts';
import { checkNameAmongOthers } from '../../people/profiles/names.ts';
import { tellInvitesChanged } from './announce.ts';
import { readPolicy } from './checks.ts';
import { addressRefused, invitationOver, otherAddress } from './errors.ts';
import { findAddressProblem, roleAtUse } from './rules.ts';
import { examine, readValidity, type Valid } from './validity.ts';
import {
  endInvitation,
  lockAddress,
  lockInvitation,
  revokeOthers,
  type Invitation,
  type Terms,
} from './store.ts';

/** A new person gets this many recent messages of their channels, and the newest of them as unread. */
const HISTORY_MESSAGES = 1000;
const UNREAD_MESSAGES = 20;

export interface NewAccount {
  readonly fullName: string;
  readonly password: string;
  /** If given, it must be the invited address: nobody may choose an address that they did not confirm. */
  readonly email?: string | undefined;
}

export interface CreatedAccount {
  readonly user: User;
  readonly chatKey: string;
}

/**
 * The key was sent to the address, so it proves that the address is the person's. Only one request per key succeeds.
 */
export async function acceptInvitation(
  ctx: Context,
  key: string,
  { fullName, password, email }: NewAccount,
): Promise<CreatedAccount> {
  // Checks before the costly hashing of the password, and again after taking the locks.
  const validity = await readValidity(ctx.db, ctx, key);
  if (validity.kind !== 'valid') throw invitationOver(validity.kind);
  const { userDefaults } = await readOrganization(ctx.db, ctx.config);
  const { invitation, terms } = validity;
  if (email !== undefined && email.toLowerCase() !== invitation.email.toLowerCase()) {
    throw otherAddress();
  }
  const owner = { email: invitation.email, fullName };
  await checkPassword(ctx, password, owner, 'The password is too weak.');
  const prepared = await prepareUser(ctx, {
    email: invitation.email,
    fullName,
    password,
    role: terms.role,
    settings: userDefaults,
  });
  const user = await ctx.inTransaction((tx) => join(tx, ctx, invitation, prepared));
  return { user, chatKey: prepared.chatKey };
}

async function join(
  tx: Tx,
  ctx: Context,
  { id, email, inviterId }: Invitation,
  prepared: PreparedUser,
): Promise<User> {
  // Locks the inviter before the invitation, in the same order as deactivating the inviter does.
  await lockAddress(tx, email);
  await holdUser(tx, inviterId);
  const validity = await examine(tx, ctx, await lockInvitation(tx, id));
  if (validity.kind !== 'valid') throw invitationOver(validity.kind);
  const organization = await readOrganization(tx, ctx.config);
  const problem = findAddressProblem(email, await readPolicy(tx, organization));
  if (problem !== undefined) throw addressRefused(problem);
  const { invitation, terms, inviter, rights } = validity;
  const channels = await listPromised(tx, rights, terms);
  // The announcement writes into one of several conversations, so all of them get the lock of a writer at once.
  const signups = await findSignupChannel(tx);
  if (signups !== undefined) {
    await holdToWrite(tx, [signups, ...channels.map((channel) => channel.id)]);
  }
  await holdConversations(tx, channels);
  const groupIds = await listGroupsToJoin(tx, rights, terms.groupIds);
  const user = await begin(tx, prepared, inviter, terms, channels);
  await addToGroups(tx, user.id, groupIds);
  const now = new Date(ctx.clock.now());
  await endInvitation(tx, id, 'used', now, user.id);
  const others = await revokeOthers(tx, email, id, now);
  await announceJoined(tx, ctx, user);
  if (invitation.linkId === null && invitation.notifiesInviter) {
    await tellAccepted(tx, ctx, inviter, user);
  }
  await tellWelcome(tx, ctx, user, terms.welcomeText, channels);
  await tellInvitesChanged(tx, [inviter.id, ...others]);
  note(tx, validity, user, channels, groupIds);
  await checkNameAmongOthers(tx, user, user.fullName);
  return user;
}

async function begin(
  tx: Tx,
  prepared: PreparedUser,
  inviter: User,
  terms: Terms,
  channels: readonly Channel[],
): Promise<User> {
  const role = roleAtUse(inviter.role, terms.role);
  // Where history is only for those who were subscribed, a new person gets none of it.
  const open = channels.filter((channel) => channel.historyPublicToSubscribers);
  const homeIds = open.map(({ conversationId }) => conversationId);
  const recent = await listRecentAtHome(tx, homeIds, HISTORY_MESSAGES);
  const since = new Map<number, number>();
  for (const { homeId, seq } of recent) {
    since.set(homeId, Math.min(since.get(homeId) ?? seq - 1, seq - 1));
  }
  const user = await addPerson(
    tx,
    { ...prepared, row: { ...prepared.row, role } },
    channels,
    since,
  );
  await startReading(tx, user.id, [...since.keys()], recent.slice(0, UNREAD_MESSAGES));
  return user;
}

/** The channels that the inviter may still give, and the default channels if they were promised. */
async function listPromised(db: Db, rights: Rights, terms: Terms): Promise<Channel[]> {
  const defaults = new Set(await listDefaultChannelIds(db));
  const named = new Set(terms.channelIds);
  const wanted = (await listChannels(db)).filter(
    ({ id, isArchived }) =>
      !isArchived && (named.has(id) || (terms.includesDefaults && defaults.has(id))),
  );
  const views = await viewChannels(db, rights.id, wanted);
  return views.filter(
    (view) =>
      defaults.has(view.id) || (canReadChannel(rights, view) && canAddSubscribers(rights, view)),
  );
}

/** Names the channels for the page on which somebody accepts the invitation. */
export const listPromisedNames = async (
  db: Db,
  { rights, terms }: Valid<Invitation>,
): Promise<string[]> => (await listPromised(db, rights, terms)).map(({ name }) => name);

function note(
  tx: Tx,
  { invitation, inviter }: Valid<Invitation>,
  user: User,
  channels: readonly Channel[],
  groupIds: readonly number[],
): void {
  noteAct(tx, {
    act: 'invitation accept',
    subject: user.email,
    details: {
      user_id: user.id,
      role: user.role,
      inviter_id: inviter.id,
      invitation_id: invitation.id,
      link_id: invitation.linkId,
      channel_ids: channels.map(({ id }) => id),
      group_ids: groupIds,
    },
    by: user,
  });
}
