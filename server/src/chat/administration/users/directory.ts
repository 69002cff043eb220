// The rows of everybody as text, for a client's initial state. An organization may have 100,000 people, and most readers
// see them alike, so a process remembers the text in blocks of ids. The database says which people have changed since a
// block was read, so what a reader is given is what their snapshot shows (decision 0094).
import { hasAtLeast, ROLE } from '../../../accounts/roles.ts';
import { findBlocksFor, listUsersBetween } from '../../../accounts/users/access.ts';
import { userRow, type ProfileData, type UserRow } from '../../../accounts/users/events.ts';
import type { Sight } from '../../../accounts/users/sight.ts';
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { DatabaseSnapshot } from '../../../platform/db/snapshot.ts';
import { readChanges } from '../../../platform/facts/changes.ts';
import { readProfiles } from '../../people/profiles/access.ts';
import { BLOCK_IDS, blockOf, Blocks, firstIdOf } from './blocks.ts';

/** The list a person is in tells whether they are active. */
export type ListedUser = Omit<UserRow, 'is_active'>;

export function listed({ is_active: _isActive, ...row }: UserRow): ListedUser {
  return row;
}

/** The rows of one block, without the brackets of a list; empty if there are none. */
export interface BlockTexts {
  readonly active: string;
  readonly others: string;
}

/** Characters that one kind of reader may have remembered: about 250,000 people. There are three kinds. */
const CHARACTERS_MAX = 100_000_000;
/** More changes than this are as good as a new organization. */
const CHANGES_MAX = 5000;
/** Blocks that are read by one statement; and from how many on all profiles are read by one. */
const BLOCKS_AT_ONCE = 2;
const PROFILES_BY_ID_MAX = 8;

type Memory = Map<Kind, Blocks<BlockTexts>>;
const memories = new WeakMap<ApiContext['hub'], Memory>();

/** Readers of one kind see the same rows, except of themselves and their own bots. */
export type Kind = 'member' | 'moderator' | 'administrator';

/** Undefined for guests: they see less, each in their way. */
export function kindOf({ viewer, known }: Sight): Kind | undefined {
  if (viewer.role === ROLE.guest || known !== undefined) return undefined;
  if (hasAtLeast(viewer.role, 'administrator')) return 'administrator';
  return hasAtLeast(viewer.role, 'moderator') ? 'moderator' : 'member';
}

/** Everybody as this reader sees them, block after block, in the order of their ids. */
export async function* writeBlocks(
  { ctx, db }: { readonly ctx: ApiContext; readonly db: Db },
  sight: Sight,
  kind: Kind,
): AsyncGenerator<BlockTexts, void> {
  const memory: Memory = memories.get(ctx.hub) ?? new Map();
  memories.set(ctx.hub, memory);
  const blocks = memory.get(kind) ?? new Blocks<BlockTexts>();
  memory.set(kind, blocks);
  const { now, floor, changes } = await readChanges(db, blocks.oldest(), CHANGES_MAX + 1);
  const { blocks: there, ownIds } = await findBlocksFor(db, sight.viewer.id, BLOCK_IDS);
  if (changes.length > CHANGES_MAX) blocks.clear();
  const good = new Map(blocks.take(now, changes, floor));
  const own = new Set(ownIds.map(blockOf));
  for (const block of own) good.delete(block);
  const isMostlyNew = there.length - good.size > PROFILES_BY_ID_MAX;
  const profiles = isMostlyNew ? await readProfiles(db) : undefined;
  for (let n = 0; n < there.length;) {
    const known = good.get(there[n] as number);
    if (known !== undefined) {
      yield known;
      n += 1;
      continue;
    }
    const stretch = there.slice(n, n + BLOCKS_AT_ONCE);
    const end = stretch.findIndex((block) => good.has(block));
    const missing = end === -1 ? stretch : stretch.slice(0, end);
    for (const [block, texts] of await readBlocks(db, sight, missing, profiles)) {
      if (!own.has(block)) keep(blocks, block, texts, now);
      yield texts;
    }
    n += missing.length;
  }
}

function keep(
  blocks: Blocks<BlockTexts>,
  block: number,
  texts: BlockTexts,
  now: DatabaseSnapshot,
): void {
  const size = texts.active.length + texts.others.length;
  if (blocks.size + size <= CHARACTERS_MAX) blocks.put(block, texts, size, now);
}

/** These blocks, which are ascending, with their texts. */
async function readBlocks(
  db: Db,
  sight: Sight,
  blocks: readonly number[],
  all: ReadonlyMap<number, ProfileData> | undefined,
): Promise<[block: number, texts: BlockTexts][]> {
  const [first = 0, last = first] = [blocks[0], blocks.at(-1)];
  const users = await listUsersBetween(db, firstIdOf(first), firstIdOf(last + 1));
  const profiles =
    all ??
    (await readProfiles(
      db,
      users.map(({ id }) => id),
    ));
  const byBlock = Map.groupBy(users, ({ id }) => blockOf(id));
  return blocks.map((block) => {
    const { active = [], others = [] } = Object.groupBy(byBlock.get(block) ?? [], ({ isActive }) =>
      isActive ? 'active' : 'others',
    );
    const textOf = (some: readonly User[]): string =>
      JSON.stringify(some.map((user) => listed(userRow(sight, user, profiles.get(user.id))))).slice(
        1,
        -1,
      );
    return [block, { active: textOf(active), others: textOf(others) }];
  });
}
