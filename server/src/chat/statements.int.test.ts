// How many statements the calls of the chat that matter most send to PostgreSQL, counted on the wire. The table in
// docs/scale.md says how many are allowed, so a change that needs more has to say so there.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ok, send, useMessageWorld } from '../testing/chat/world.ts';
import { statementsOf } from '../testing/statements.ts';

const world = useMessageWorld();

const PAGE = { anchor: 'newest', num_before: 100, num_after: 0, allow_empty_topic_name: true };
const narrowOf = (...terms: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(terms.map(([operator, operand]) => ({ operator, operand })));

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'a plain message': () => send(world.ada, world.publicId, 'x', 'plain', { client: 'website' }),
  'a message that mentions somebody': () =>
    send(world.ada, world.publicId, 'x', '@**Bob** look', { client: 'website' }),
  'a page of everything': async () => ok(await world.ada.client.get('/messages', PAGE)),
  'a page of a topic': async () =>
    ok(
      await world.ada.client.get('/messages', {
        ...PAGE,
        narrow: narrowOf(['channel', world.publicId], ['topic', 'x']),
      }),
    ),
  'a page of a search': async () =>
    ok(await world.ada.client.get('/messages', { ...PAGE, narrow: narrowOf(['search', 'plain']) })),
  'a register with everything': async () => ok(await world.ada.client.post('/register')),
  'a register for reactions alone': async () =>
    ok(
      await world.ada.client.post('/register', {
        event_types: JSON.stringify(['reaction']),
        fetch_event_types: '[]',
      }),
    ),
};

/** The rows of the table "Statements of a call". */
function allowed(): Map<string, number> {
  const page = readFileSync(new URL('../../../docs/scale.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split('## Statements of a call');
  const [table = ''] = after.split('\n## ');
  const rows = table.matchAll(/^\| ([a-z][^|]*?) +\| +(\d+)/gm);
  return new Map([...rows].map(([, call = '', count = '']) => [call, Number(count)]));
}

describe('the statements of', () => {
  it('each call stand in the table', () => {
    expect([...allowed().keys()]).toEqual(Object.keys(CALLS));
  });

  it.each(Object.entries(CALLS))('%s', async (name, call) => {
    const { ctx } = world.server;
    // What is remembered and prepared is there after a few calls.
    for (let n = 0; n < 4; n += 1) await call();
    const pools = [ctx.pooled('chat').database.pool, ctx.pooled('search').database.pool];
    const statements = await statementsOf(pools, call);
    expect(statements.length, statements.join('\n')).toBeGreaterThan(0);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(allowed().get(name) ?? 0);
  });
});
