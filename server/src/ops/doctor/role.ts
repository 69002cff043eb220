// The server's database role: whether it has what it needs, and nothing else.
import type pg from 'pg';
import { findRoleProblems, WHY_TOO_MUCH } from '../../platform/db/role-check.ts';
import { broken, ok, warning, type Finding } from './finding.ts';

const WHY_TOO_LITTLE = 'The server fails wherever it comes to that.';

/** A role with too many rights is broken where money is real, and a warning elsewhere. */
export async function checkDatabaseRole(client: pg.Client, money: string): Promise<Finding[]> {
  const problems = await findRoleProblems(client);
  if (problems.length === 0) {
    return [ok('database role', 'It owns nothing, and may do what the server needs.')];
  }
  return problems.map(({ kind, what, fix }) => {
    const isTooMuch = kind === 'too much';
    const trouble = { what, why: isTooMuch ? WHY_TOO_MUCH : WHY_TOO_LITTLE, fix };
    return isTooMuch && money !== 'real'
      ? warning('database role', trouble)
      : broken('database role', trouble);
  });
}
