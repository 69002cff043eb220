// Joining without an invitation, where the organization allows it. An emailed link confirms the address; its page
// creates the account of a member. Only the mailbox is told whether the address already has an account.
import { noteNothing } from '../../../accounts/audit/actions.ts';
import {
  consumeRegistration,
  findRegistered,
  makeRegistration,
  REGISTER_HOURS,
} from '../../../accounts/mailed-links/actions.ts';
import { checkPassword } from '../../../accounts/passwords/rules.ts';
import { ROLE } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { findUserByEmail } from '../../../accounts/users/access.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { queueEmail } from '../../../platform/mail/queue.ts';
import { isMailConfigured } from '../../../platform/mail/transport.ts';
import { HOUR_MS } from '../../../platform/std/time.ts';
import { listDefaultChannelIds } from '../../channels/default-channels/access.ts';
import { listChannels } from '../../conversations/channel/access.ts';
import { announceJoined, tellWelcome } from '../../messages/notices/actions.ts';
import { findSignupChannel, holdToWrite } from '../../messages/notices/channels.ts';
import { readOrganization, type Organization } from '../../organization/org/access.ts';
import { defineAskedLink } from '../keys/asked-link.ts';
import { createPerson } from '../users/actions.ts';
import { tellInvitesChanged } from './announce.ts';
import { readPolicy } from './checks.ts';
import { addressRefused, invitationOver, mailMissing } from './errors.ts';
import { alreadyHereEmail, registerEmail } from './emails.ts';
import { findAddressProblem } from './rules.ts';
import { senderOf } from './sending.ts';
import { lockAddress, revokeOthers } from './store.ts';

export const isOpenToAll = ({ settings }: Pick<Organization, 'settings'>): boolean =>
  settings['invite_required'] === false;

const link = defineAskedLink('register', async (tx, ctx, { email, origin }) => {
  const organization = await readOrganization(tx, ctx.config);
  if (!isOpenToAll(organization)) return;
  const sender = senderOf(origin, organization);
  const expiresAt = new Date(ctx.clock.now() + REGISTER_HOURS * HOUR_MS);
  const taken = await findUserByEmail(tx, email);
  if (taken !== undefined) {
    // A bot has no mailbox.
    if (taken.botType !== null) return;
    await queueEmail(tx, ctx, 'registration', alreadyHereEmail(sender, taken.email, expiresAt));
    return;
  }
  const max = ctx.config.SIGNUPS_DAILY_MAX;
  const key = await makeRegistration(tx, ctx.secrets, { email, max });
  if (key === undefined) {
    ctx.log.warn({ max }, 'Nobody else can register today: SIGNUPS_DAILY_MAX is reached.');
    return;
  }
  await queueEmail(tx, ctx, 'registration', registerEmail(sender, { to: email, key, expiresAt }));
});
export const sendRegisterLink = link.job;

/** Does the same for every address that the organization permits, with or without an account. */
export async function askRegisterLink(
  ctx: ApiContext,
  asked: { readonly email: string; readonly caller: string },
): Promise<void> {
  const organization = await readOrganization(ctx.db, ctx.config);
  const problem = findAddressProblem(asked.email, await readPolicy(ctx.db, organization));
  if (problem !== undefined) throw addressRefused(problem);
  if (!isMailConfigured(ctx.config)) throw mailMissing();
  await link.ask(ctx, asked);
}

/** The address that a link confirms; undefined if it cannot be used, or nobody may register any more. */
export async function findRegisterLink(ctx: Context, key: string): Promise<string | undefined> {
  if (!isOpenToAll(await readOrganization(ctx.db, ctx.config))) return undefined;
  return findRegistered(ctx.db, ctx.secrets, key);
}

/** Creates the account of the address that the link was sent to. Only one request per link succeeds. */
export async function acceptRegisterLink(
  ctx: Context,
  key: string,
  { email, fullName, password }: { email: string; fullName: string; password: string },
): Promise<User> {
  await checkPassword(ctx, password, { email, fullName }, 'The password is too weak.');
  const { user } = await createPerson(
    ctx,
    { email, fullName, password, role: ROLE.member },
    (tx) => useLink(tx, ctx, key, email),
    (tx, created) => welcome(tx, ctx, created),
  );
  return user;
}

async function useLink(tx: Tx, ctx: Context, key: string, email: string): Promise<void> {
  await lockAddress(tx, email);
  const confirmed = await consumeRegistration(tx, ctx.secrets, key);
  if (confirmed !== email) {
    noteNothing(tx);
    throw invitationOver('used');
  }
  const organization = await readOrganization(tx, ctx.config);
  if (!isOpenToAll(organization)) throw invitationOver('withdrawn');
  const problem = findAddressProblem(email, await readPolicy(tx, organization));
  if (problem !== undefined) throw addressRefused(problem);
  const signups = await findSignupChannel(tx);
  // The announcement writes into one of several conversations, so all of them get the lock of a writer at once.
  if (signups !== undefined) await holdToWrite(tx, [signups, ...(await listDefaultChannelIds(tx))]);
}

async function welcome(tx: Tx, ctx: Context, user: User): Promise<void> {
  const others = await revokeOthers(tx, user.email, 0, new Date(ctx.clock.now()));
  await announceJoined(tx, ctx, user);
  await tellWelcome(tx, ctx, user, null, await listDefaults(tx));
  await tellInvitesChanged(tx, others);
}

async function listDefaults(db: Db) {
  const ids = new Set(await listDefaultChannelIds(db));
  return (await listChannels(db)).filter(({ id, isArchived }) => ids.has(id) && !isArchived);
}

/** The names of the channels that a new member starts in. */
export const listDefaultNames = async (db: Db): Promise<string[]> =>
  (await listDefaults(db)).map(({ name }) => name);
