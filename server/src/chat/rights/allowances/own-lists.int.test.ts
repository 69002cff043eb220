// Lists that every client of a person loads whole have a limit of bytes.
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../../testing/chat/client.ts';
import { ok, refused, send, useMessageWorld, type Actor } from '../../../testing/chat/world.ts';

vi.setConfig({ testTimeout: 120_000 });
const world = useMessageWorld();

const LIST_BYTES = 2 * 1024 * 1024;
/** Ten thousand characters, each of three bytes. */
const LONG = '€'.repeat(10_000);

const bytesOf = ({ text }: Answer): number => Buffer.byteLength(text);

interface Kept {
  readonly what: string;
  readonly path: string;
  readonly table: string;
  add(who: Actor): Promise<Answer>;
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

const lists: readonly Kept[] = [
  {
    what: 'drafts',
    path: '/drafts',
    table: 'drafts',
    add: ({ client }) =>
      client.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: LONG }] }),
  },
  {
    what: 'saved snippets',
    path: '/saved_snippets',
    table: 'saved_snippets',
    add: ({ client }) => client.post('/saved_snippets', { title: 'x', content: LONG }),
  },
  {
    what: 'scheduled messages',
    path: '/scheduled_messages',
    table: 'scheduled_messages',
    add: ({ client, id }) =>
      client.post('/scheduled_messages', {
        type: 'direct',
        to: [id],
        content: LONG,
        scheduled_delivery_timestamp: inAnHour(),
      }),
  },
];

describe('a list that a person keeps', () => {
  for (const { what, path, table, add } of lists) {
    it(`of ${what} is refused what would make it too large, and is answered whole`, async () => {
      const who = await world.person();
      let added = 0;
      let refusal: Answer | undefined;
      while (refusal === undefined && added < 200) {
        const answer = await add(who);
        if (answer.status === 200) added += 1;
        else refusal = answer;
      }
      expect(added).toBeGreaterThan(20);
      expect(refusal && refused(refusal).msg).toBe(
        `Your ${what} would have more than ${LIST_BYTES} bytes together. Delete some first.`,
      );
      const answer = await who.client.get(path);
      ok(answer);
      expect(bytesOf(answer)).toBeLessThan(LIST_BYTES * 1.2);
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE user_id = ${who.id}`.execute(
        world.server.ctx.db,
      );
      expect(rows).toEqual([{ count: added }]);
    });
  }

  it('of an earlier release, which is too large, is answered as far as it fits', async () => {
    const who = await world.person();
    await send(world.ada, world.publicId, 'x', 'x');
    await sql`
      INSERT INTO drafts (user_id, type, "to", topic, content, edited_at)
      SELECT ${who.id}, '', '{}', '', repeat('€', 10000), now() - n * interval '1 minute'
        FROM generate_series(1, 1000) AS n`.execute(world.server.ctx.db);
    const answer = await who.client.get('/drafts');
    expect(bytesOf(answer)).toBeLessThan(LIST_BYTES * 1.2);
    expect((ok(answer)['drafts'] as unknown[]).length).toBeGreaterThan(20);
    const state = await who.client.post('/register', { fetch_event_types: ['drafts'] });
    ok(state);
    expect(bytesOf(state)).toBeLessThan(LIST_BYTES * 1.2);
  });
});
