// Maps an entry of the directory to an account. An account belongs to the entry that opened it
// first, by the directory's permanent id. An address can pass to another person, through an
// administrator here or the keeper of the directory there, and the account must not pass with it.
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { appendAudit } from '../audit/actions.ts';
import { ROLE } from '../roles.ts';
import { forgetGivenAddress } from '../users/access.ts';
import type { NewUser } from '../users/actions.ts';
import { NameRefused } from '../users/errors.ts';
import type { User } from '../user.ts';
import type { DirectoryEntry } from './client.ts';
import { deleteIdentity, findJoinable, findUserOfEntry, insertIdentity } from './store.ts';

export { findEntryOf, findJoinable } from './store.ts';

/** Creates a person with everything that the product gives a new one. */
export type CreatePerson = (ctx: Context, fresh: NewUser) => Promise<{ user: User }>;

/** Undefined when the entry opens no account here; the log says why. */
export async function findPersonOf(
  ctx: Context,
  entry: DirectoryEntry,
  create: CreatePerson | undefined,
): Promise<User | undefined> {
  const bound = await findUserOfEntry(ctx.db, entry.id);
  if (bound !== undefined) return bound;
  const joinable = await findJoinable(ctx.db, entry.email);
  if (joinable === undefined) {
    if (create !== undefined) return makePerson(ctx, create, entry);
    ctx.log.info({ dn: entry.dn }, 'Somebody in the directory has no account here.');
    return undefined;
  }
  const { user } = joinable;
  if (user.botType !== null) return undefined;
  // A person who signs in twice at once may have been linked since we looked.
  if (joinable.entry === entry.id) return user;
  if (joinable.entry !== null) {
    ctx.log.warn(
      { dn: entry.dn, userId: user.id },
      'Somebody in the directory has the address of an account that belongs to another entry. ' +
        'If it is the same person, `rialto admin sign-in unbind` lets the account be linked again.',
    );
    return undefined;
  }
  if (joinable.isAddressGiven) {
    ctx.log.warn(
      { dn: entry.dn, userId: user.id },
      'Somebody in the directory has an address that an administrator gave to an account. ' +
        'If the account is theirs, `rialto admin sign-in unbind` lets it be joined.',
    );
    return undefined;
  }
  return bind(ctx, user, entry);
}

/** Of two concurrent attempts, one is first; the other finds its result. */
async function bind(ctx: Context, user: User, { id }: DirectoryEntry): Promise<User | undefined> {
  if (await ctx.inTransaction((tx) => insertIdentity(tx, user.id, id))) return user;
  const bound = await findUserOfEntry(ctx.db, id);
  return bound?.id === user.id ? bound : undefined;
}

async function makePerson(
  ctx: Context,
  create: CreatePerson,
  entry: DirectoryEntry,
): Promise<User | undefined> {
  try {
    return await bind(ctx, await createNamed(ctx, create, entry), entry);
  } catch (error) {
    // Two concurrent first sign-ins: the second finds the account.
    if (!(error instanceof Refusal)) throw error;
    const user = await findPersonOf(ctx, entry, undefined);
    if (user === undefined) throw error;
    return user;
  }
}

/**
 * Lets an account be linked again, to the entry that then has its address; returns whether it
 * belonged to one. For operators, who have made sure that it is the same person.
 */
export function unbindAccount(
  ctx: Context,
  by: { readonly operator: string; readonly via: string },
  user: User,
): Promise<boolean> {
  return ctx.inTransaction(async (tx) => {
    await forgetGivenAddress(tx, user.id);
    const wasBound = await deleteIdentity(tx, user.id);
    await appendAudit(tx, ctx.clock.now(), {
      operator: by.operator,
      act: 'sign_in unbind',
      subject: user.email,
      details: { via: by.via, wasBound },
      outcome: 'done',
    });
    return wasBound;
  });
}

/**
 * Uses the directory's name for the person if it is valid here, otherwise the part before the @.
 */
async function createNamed(
  ctx: Context,
  create: CreatePerson,
  { name, email }: DirectoryEntry,
): Promise<User> {
  for (const fullName of [name, email.split('@', 1)[0] ?? '']) {
    try {
      return (await create(ctx, { email, fullName, role: ROLE.member })).user;
    } catch (error) {
      if (!(error instanceof NameRefused)) throw error;
    }
  }
  const { user } = await create(ctx, { email, fullName: 'New member', role: ROLE.member });
  return user;
}
