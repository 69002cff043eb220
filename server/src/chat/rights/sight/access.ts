// Reads what somebody sees of others, and finds people as far as the asker may know of them.
import { ROLE } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { findUser } from '../../../accounts/users/access.ts';
import { noSuchUser } from '../../../accounts/users/errors.ts';
import {
  knows,
  parsePlaceholder,
  seesAddress,
  type Sight,
  type Viewer,
} from '../../../accounts/users/sight.ts';
import { hostOf, type Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import { isLimited, listAcquaintances, listAddresses } from './store.ts';

export { knownIds } from './store.ts';

/** Whom the viewer knows; undefined for everybody. Only guests can be limited, so for others nothing is read. */
export async function readKnown(db: Db, viewer: Viewer): Promise<ReadonlySet<number> | undefined> {
  if (viewer.role !== ROLE.guest) return undefined;
  if (!(await isLimited(db))) return undefined;
  return listAcquaintances(db, viewer.id);
}

export const readSight = async (
  ctx: Pick<Context, 'config'>,
  db: Db,
  { id, role }: Viewer,
): Promise<Sight> => ({
  viewer: { id, role },
  host: hostOf(ctx),
  known: await readKnown(db, { id, role }),
});

/** Placeholder addresses become the ids that they name. Everything else stays. */
export const withoutPlaceholders = (
  given: readonly (string | number)[],
  host: string,
): (string | number)[] =>
  given.map((one) => (typeof one === 'string' ? (parsePlaceholder(one, host) ?? one) : one));

/**
 * The ids of these people, given by id or address, in the order given; undefined for one whom the viewer may not know, or
 * whose address they may not see. That somebody is hidden cannot be told from that they do not exist.
 */
export async function findVisibleIds(
  db: Db,
  viewer: Viewer,
  given: readonly (string | number)[],
): Promise<(number | undefined)[]> {
  const ids = given.filter((one) => typeof one === 'number').filter(isRowId);
  const emails = given.filter((one) => typeof one === 'string');
  const rows = await listAddresses(db, ids, emails);
  const known = await readKnown(db, viewer);
  const seen = rows.filter(({ id }) => knows({ known }, id));
  const byId = new Set(seen.map(({ id }) => id));
  const byEmail = new Map(
    seen.filter((row) => seesAddress(viewer, row)).map(({ id, email }) => [email, id]),
  );
  return given.map((one) =>
    typeof one === 'number' ? (byId.has(one) ? one : undefined) : byEmail.get(one.toLowerCase()),
  );
}

/** The person or bot, by id or address, as far as the viewer may know of them. */
export async function accessPerson(
  ctx: Pick<Context, 'config'>,
  db: Db,
  viewer: Viewer,
  idOrEmail: string | number,
): Promise<User> {
  const [id] = await findVisibleIds(db, viewer, withoutPlaceholders([idOrEmail], hostOf(ctx)));
  const user = id === undefined ? undefined : await findUser(db, id);
  if (user === undefined) throw noSuchUser();
  return user;
}
