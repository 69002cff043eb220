// What operators see of sign-in attempts, and how they clear them.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { appendAudit } from '../audit/actions.ts';
import {
  countKnownDevices,
  listDeviceLookups,
  listKnownAddresses,
} from '../known-places/actions.ts';
import { findEntryOf } from '../ldap/identity.ts';
import { findUserByEmail } from '../users/access.ts';
import {
  addressTake,
  codeSubject,
  emailTakes,
  entryText,
  knownAddressSubject,
  knownCodeSubject,
  knownDeviceSubject,
  nameSubject,
  nameTake,
  ownSubject,
  subjectOf,
} from './lanes.ts';
import { readBucket, refill } from './store.ts';

/** The attempts that strangers have left for a name, and what is known of its owner. */
export interface NameState {
  readonly triesLeft: number;
  readonly failuresInARow: number;
  /** Whether strangers are locked out, until the owner signs in with a known browser. */
  readonly isClosed: boolean;
  readonly knownDevices: number;
  readonly knownAddresses: readonly string[];
}

export async function describeName(ctx: Context, email: string): Promise<NameState> {
  const take = nameTake(ctx.config, nameSubject(ctx.secrets, email));
  const { tokens = take.tokens, streak = 0 } = (await readBucket(ctx.db, take)) ?? {};
  const user = await findUserByEmail(ctx.db, email);
  return {
    triesLeft: Math.floor(tokens),
    failuresInARow: streak,
    isClosed: streak >= take.streakMax,
    knownDevices: user === undefined ? 0 : await countKnownDevices(ctx.db, user.id),
    knownAddresses: user === undefined ? [] : await listKnownAddresses(ctx.db, user.id),
  };
}

export async function countTriesLeft(ctx: Context, address: string): Promise<number> {
  const take = addressTake(ctx.config, ctx.secrets, address);
  return Math.floor((await readBucket(ctx.db, take))?.tokens ?? take.tokens);
}

/** Who clears, for the audit log. */
export interface Clearer {
  readonly operator: string;
  readonly via: string;
}

/**
 * Gives a name all its attempts back, from everywhere. Known places stay known. Returns how many
 * buckets were used.
 */
export function clearName(ctx: Context, by: Clearer, email: string): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    const subjects = [nameSubject(ctx.secrets, email)];
    if (user !== undefined) {
      const addresses = await listKnownAddresses(tx, user.id);
      const devices = await listDeviceLookups(tx, user.id);
      const entry = await findEntryOf(tx, user.id);
      subjects.push(
        ...(entry === undefined ? [] : [subjectOf(ctx.secrets, entryText(entry))]),
        ownSubject(ctx.secrets, user.id, undefined),
        ...addresses.map((address) => knownAddressSubject(ctx.secrets, user.id, address)),
        ...devices.map((lookup) => knownDeviceSubject(ctx.secrets, user.id, lookup)),
        codeSubject(ctx.secrets, user.id),
        ...devices.map((lookup) => knownCodeSubject(ctx.secrets, user.id, lookup)),
      );
    }
    return refillAudited(tx, ctx, by, email, subjects);
  });
}

/** Gives an address all its attempts back, and the emails that may be requested from it. */
export function clearAddress(ctx: Context, by: Clearer, address: string): Promise<number> {
  return ctx.inTransaction(async (tx) => {
    const ofEmails = emailTakes(ctx.secrets, '', address).at(-1);
    const subjects = [
      addressTake(ctx.config, ctx.secrets, address).subject,
      ...(ofEmails === undefined ? [] : [ofEmails.subject]),
    ];
    return refillAudited(tx, ctx, by, address, subjects);
  });
}

/** Refills the buckets, and writes into the audit log who did it for whom. */
async function refillAudited(
  tx: Tx,
  { clock }: Context,
  { operator, via }: Clearer,
  cleared: string,
  subjects: readonly Buffer[],
): Promise<number> {
  const count = await refill(tx, subjects);
  await appendAudit(tx, clock.now(), {
    operator,
    act: 'sign_in clear',
    subject: cleared,
    details: { via, buckets: count },
    outcome: 'done',
  });
  return count;
}
