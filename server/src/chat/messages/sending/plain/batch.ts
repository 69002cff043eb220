// Plain messages to one channel that arrive while a statement is under way go with the next one. Under load a commit
// then writes many messages; a message that is alone waits for nothing.
import pg from 'pg';
import { SUBJECTS } from '../../../../platform/bus/subjects.ts';
import type { Context } from '../../../../platform/context.ts';
import { gather } from '../../../../platform/std/gather.ts';
import { insertPlain, type PlainPost, type PostResult } from './store.ts';

/** Bounds one statement; the rest waits for the next. */
const POSTS_AT_ONCE = 100;

type Post = (post: PlainPost) => Promise<PostResult>;

interface Line {
  readonly post: Post;
  /** How many messages are under way or waiting; an empty line is dropped. */
  count: number;
}

/** By the connections and the conversation. */
const lines = new WeakMap<pg.Pool, Map<number, Line>>();

/** Writes the message with others to the same conversation; returns its id, or why nothing of it was written. */
export async function postTogether(
  ctx: Pick<Context, 'database' | 'db' | 'bus'>,
  conversationId: number,
  post: PlainPost,
): Promise<PostResult> {
  const { pool } = ctx.database;
  const open = lines.get(pool) ?? new Map<number, Line>();
  lines.set(pool, open);
  const line = open.get(conversationId) ?? openLine(ctx, conversationId);
  open.set(conversationId, line);
  line.count += 1;
  try {
    return await line.post(post);
  } finally {
    line.count -= 1;
    if (line.count === 0) open.delete(conversationId);
  }
}

const openLine = (ctx: Pick<Context, 'db' | 'bus'>, conversationId: number): Line => ({
  count: 0,
  post: gather(POSTS_AT_ONCE, (posts: readonly PlainPost[]) =>
    writeAll(ctx, conversationId, posts),
  ),
});

async function writeAll(
  { db, bus }: Pick<Context, 'db' | 'bus'>,
  conversationId: number,
  posts: readonly PlainPost[],
): Promise<PostResult[]> {
  try {
    const results = await insertPlain(db, conversationId, posts);
    if (results.some((one) => typeof one === 'number')) bus.publish(SUBJECTS.outboxBell, '');
    return results;
  } catch (error) {
    // PostgreSQL refused the statement, so nothing of it was written. Each message goes the long way, where the one
    // that caused this fails alone. Any other error says nothing about what was written.
    if (error instanceof pg.DatabaseError) return posts.map(() => 'left');
    throw error;
  }
}
