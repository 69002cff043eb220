// Lookups of operators: who is one, and who could be.
import type { Db } from '../../platform/db/pool.ts';
import { findUserByEmail, listUsers } from '../users/access.ts';
import type { User } from '../user.ts';
import { noSuchPerson, notAnOperator } from './errors.ts';
import { whyNotOperator, type Operator } from './operator.ts';
import { listEnrolmentIds, listOperatorIds, lockOperators } from './store.ts';

/** How long an enrolment waits for approvals. */
export const ENROLMENT_HOURS = 24;

/**
 * The operator with this address: active, of a role that may act, and with a secret.
 * `proveOperator` checks that the caller is that person.
 */
export async function accessOperator(db: Db, email: string, via: string): Promise<Operator> {
  const user = await accessPerson(db, email);
  const why = whyNotOperator(user);
  if (why !== undefined) throw notAnOperator(user.email, why);
  if (!(await listOperatorIds(db)).includes(user.id)) {
    throw notAnOperator(user.email, 'they have no secret yet (rialto admin operator enrol)');
  }
  return { id: user.id, email: user.email, role: user.role, via };
}

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
