// Whose account an identity opens that was never seen here. An address can be claimed by anybody and can pass from one
// person to another, so it decides only where the operator says so, and never for an account that matters more.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct } from '../audit/actions.ts';
import { isEmail } from '../email.ts';
import { findJoinable } from '../ldap/identity.ts';
import { tellPerson } from '../notices/actions.ts';
import { isOperator } from '../operators/access.ts';
import { ROLE } from '../roles.ts';
import { hasFactor } from '../second-factors/factor.ts';
import { findFactors } from '../second-factors/access.ts';
import { accessUserForUpdate, findUserByEmail } from '../users/access.ts';
import type { NewUser } from '../users/actions.ts';
import { NameRefused } from '../users/errors.ts';
import type { User } from '../user.ts';
import { vouchesForAddress, type Claims } from './claims.ts';
import { OidcRefusal } from './errors.ts';
import type { Provider } from './settings.ts';
import { findUserOfIdentity, insertIdentity } from './store.ts';

/** Creates a person with everything that the product gives a new one, and more rows in the same transaction. */
export type CreatePerson = (
  ctx: Context,
  fresh: NewUser,
  check: (tx: Tx) => Promise<void>,
  complete: (tx: Tx, user: User) => Promise<void>,
) => Promise<{ user: User }>;

/** The account of an identity at its first sight; the same refusal whether there is one with the address or not. */
export async function meet(
  ctx: Context,
  provider: Provider,
  claims: Claims,
  create: CreatePerson,
): Promise<User> {
  const { email = '' } = claims;
  if (!isEmail(email)) throw new OidcRefusal('unknown');
  const isVouched = vouchesForAddress(provider, claims);
  const account = await findUserByEmail(ctx.db, email);
  if (account !== undefined) {
    if (!isVouched || provider.link !== 'verified_email') throw new OidcRefusal('unknown');
    return joinByAddress(ctx, provider, claims, account);
  }
  const isForThem = provider.domains.length === 0 ? claims.isEmailVerified : isVouched;
  if (provider.create === 'never' || !isForThem) throw new OidcRefusal('unknown');
  return makePerson(ctx, provider, claims, create);
}

/** Links the account of a verified address. What makes it worth more than an address makes this impossible. */
function joinByAddress(
  ctx: Context,
  provider: Provider,
  claims: Claims,
  { id, email }: User,
): Promise<User> {
  return ctx.inTransaction(async (tx) => {
    // Its row is locked, so that a factor or a role which comes meanwhile is seen or waits.
    const account = await accessUserForUpdate(tx, id);
    const joinable = await findJoinable(tx, email);
    const isGuarded =
      account.botType !== null ||
      account.role === ROLE.owner ||
      joinable?.user.id !== id ||
      // An administrator gave it this address: nobody has shown that the mailbox is the person's.
      joinable.isAddressGiven ||
      (await isOperator(tx, id)) ||
      hasFactor(await findFactors(tx, id));
    if (isGuarded) throw new OidcRefusal('unknown');
    await link(tx, ctx, { provider, claims, user: account, how: 'verified address' });
    return account;
  });
}

/** Writes that the identity opens the account, and tells its owner. */
export async function link(
  tx: Tx,
  ctx: Context,
  {
    provider,
    claims,
    user,
    how,
  }: {
    readonly provider: Provider;
    readonly claims: Pick<Claims, 'subject'>;
    readonly user: User;
    readonly how: 'verified address' | 'created' | 'signed in';
  },
): Promise<void> {
  const key = { issuer: provider.issuer, subject: claims.subject };
  if (!(await insertIdentity(tx, key, user.id))) {
    const holder = await findUserOfIdentity(tx, key);
    if (holder?.id !== user.id) throw new OidcRefusal('taken');
    return;
  }
  noteAct(tx, {
    act: 'identity add',
    subject: user.email,
    details: { provider: provider.id, issuer: provider.issuer, how },
    by: user,
  });
  if (how !== 'created')
    await tellPerson(tx, ctx, user, 'identity_linked', { name: provider.name });
}

/** Account and identity in one transaction. */
async function makePerson(
  ctx: Context,
  provider: Provider,
  claims: Claims,
  create: CreatePerson,
): Promise<User> {
  const { email = '' } = claims;
  const role = provider.create === 'guest' ? ROLE.guest : ROLE.member;
  const names = [claims.name, email.split('@', 1)[0], 'New member'];
  for (const fullName of names) {
    if (fullName === undefined || fullName === '') continue;
    try {
      const { user } = await create(
        ctx,
        { email, fullName, role },
        async () => {},
        (tx, added) => link(tx, ctx, { provider, claims, user: added, how: 'created' }),
      );
      return user;
    } catch (error) {
      // A name that is not valid here is the provider's affair; the next one is tried.
      if (error instanceof NameRefused) continue;
      // Of two first sign-ins at once, one creates the account, and the other finds it.
      const found = await findUserOfIdentity(ctx.db, {
        issuer: provider.issuer,
        subject: claims.subject,
      });
      if (found !== undefined) return found;
      throw error;
    }
  }
  throw new OidcRefusal('unknown');
}
