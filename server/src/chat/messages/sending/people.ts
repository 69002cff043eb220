// People about whom a message is decided: its sender, if nobody has authenticated, and those whom it names.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { ABOUT, remembered } from '../../../platform/facts/memory.ts';

/** These people, by memory if `db` remembers. */
export const listPeople = (db: Db, userIds: readonly number[]): Promise<User[]> =>
  remembered(db, `people ${userIds.join()}`, [ABOUT.everybody, ...userIds], () =>
    listUsersById(db, userIds),
  );
