// Lookups of operators: who is one, and who could be.
import type { Db } from '../../platform/db/pool.ts';
import { hasFactor } from '../second-factors/factor.ts';
import { findFactors } from '../second-factors/access.ts';
import { findUser, findUserByEmail, listUsers } from '../users/access.ts';
import type { User } from '../user.ts';
import { factorMissing, grantMissing, noSuchPerson, notAnOperator } from './errors.ts';
import { grantsAllow, type Grant } from './grants.ts';
import { listAllGrants, listGrantsOf, type GrantRow } from './grants-store.ts';
import { whyNotOperator, type Operator } from './operator.ts';
import { listEnrolmentIds, listOperatorIds, lockOperators } from './store.ts';

/** How long an enrolment waits for approvals. */
export const ENROLMENT_HOURS = 24;

/**
 * The operator with this address who acts by a secret: active, of a role that may have one, and with one.
 * `proveOperator` checks that the caller is that person.
 */
export async function accessOperator(db: Db, email: string, via: string): Promise<Operator> {
  const user = await accessPerson(db, email);
  const why = whyNotOperator(user);
  if (why !== undefined) throw notAnOperator(user.email, why);
  if (!(await listOperatorIds(db)).includes(user.id)) {
    throw notAnOperator(user.email, 'they have no secret yet (rialto admin operator enrol)');
  }
  return { id: user.id, email: user.email, role: user.role, via, proof: 'secret' };
}

/** An operator who acts in a session: an active person with the grant and a second factor. */
export async function accessGranted(
  db: Db,
  userId: number,
  via: string,
  needed: Grant,
): Promise<Operator> {
  const user = await findUser(db, userId);
  if (user?.isActive !== true || user.botType !== null) throw grantMissing(needed, []);
  const grants = await listGrantsOf(db, user.id);
  if (!grantsAllow(grants, needed)) throw grantMissing(needed, grants);
  if (!hasFactor(await findFactors(db, user.id))) throw factorMissing();
  return { id: user.id, email: user.email, role: user.role, via, proof: 'session' };
}

/** The same operator as they stand now: rights may have been lost since they authenticated. */
export const accessAgain = (
  tx: Db,
  { id, email, via, proof }: Pick<Operator, 'id' | 'email' | 'via' | 'proof'>,
  needed: Grant,
): Promise<Operator> =>
  proof === 'secret' ? accessOperator(tx, email, via) : accessGranted(tx, id, via, needed);

/** Every grant of every person: a few for each operator. */
const GRANTS_LISTED_MAX = 1000;
export const listGrants = (db: Db): Promise<GrantRow[]> => listAllGrants(db, GRANTS_LISTED_MAX);

/** None for somebody who is deactivated, and for a bot. */
export const findGrants = (
  db: Db,
  user: Pick<User, 'id' | 'isActive' | 'botType'>,
): Promise<readonly Grant[]> =>
  user.isActive && user.botType === null ? listGrantsOf(db, user.id) : Promise.resolve([]);

/** Whether this person may act as an operator, by a secret or by a grant. */
export const isOperator = async (db: Db, userId: number): Promise<boolean> =>
  (await listOperatorIds(db)).includes(userId) || (await listGrantsOf(db, userId)).length > 0;

export async function accessPerson(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, email);
  if (user === undefined) throw noSuchPerson(email);
  return user;
}

export interface Candidate extends User {
  readonly secret: 'enrolled' | 'awaiting_approval' | 'none';
}

/**
 * Until the end of the transaction, no other transaction creates an operator or the first owner.
 */
export const lockCandidates = (tx: Db): Promise<void> => lockOperators(tx);

/** Everybody whose role lets them be an operator, with whether they are one. */
export async function listCandidates(db: Db): Promise<Candidate[]> {
  const enrolled = new Set(await listOperatorIds(db));
  const waiting = new Set(await listEnrolmentIds(db, ENROLMENT_HOURS));
  const secretOf = (id: number): Candidate['secret'] => {
    if (enrolled.has(id)) return 'enrolled';
    return waiting.has(id) ? 'awaiting_approval' : 'none';
  };
  const people = (await listUsers(db)).filter((user) => whyNotOperator(user) === undefined);
  return people.map((user) => ({ ...user, secret: secretOf(user.id) }));
}
