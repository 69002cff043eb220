// Navigation views over HTTP.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { ok, useMessageWorld, refused } from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const add = (params: FormInput, { client } = world.ada) => client.post('/navigation_views', params);
const list = async ({ client } = world.ada) =>
  ok(await client.get('/navigation_views'))['navigation_views'];

const ALERTED = 'narrow/is/alerted';

describe('POST /navigation_views', () => {
  it('[M180] [M181] [M182] adds built-in views and a person’s own views, and tells the person’s clients', async () => {
    const { server, ada, bob } = world;
    const [own, other] = await verifyEvents(server, [ada, bob], async () => {
      ok(await add({ fragment: ' inbox ', is_pinned: true }));
      ok(await add({ fragment: ALERTED, is_pinned: false, name: 'Alerts' }));
      ok(await add({ fragment: 'narrow/is/followed', is_pinned: false }));
      ok(await add({ fragment: 'drafts', is_pinned: false, name: 'null' }));
    });
    const views = [
      { fragment: 'inbox', is_pinned: true, name: null },
      { fragment: ALERTED, is_pinned: false, name: 'Alerts' },
      { fragment: 'narrow/is/followed', is_pinned: false, name: null },
      { fragment: 'drafts', is_pinned: false, name: null },
    ];
    expect(own).toMatchObject(
      views.map((view) => ({ type: 'navigation_view', op: 'add', navigation_view: view })),
    );
    expect(other).toEqual([]);
    expect(await list()).toEqual(views);
    expect(await list(bob)).toEqual([]);
  });

  it.each<[FormInput, string]>([
    [{ is_pinned: true }, "Missing 'fragment' argument"],
    [{ fragment: ' ', is_pinned: true }, 'fragment cannot be blank'],
    [{ fragment: 'x' }, "Missing 'is_pinned' argument"],
    [{ fragment: 'x', is_pinned: 'yes' }, 'is_pinned is not valid JSON'],
    [{ fragment: 'x', is_pinned: 1 }, 'is_pinned is not a boolean'],
    [{ fragment: 'x', is_pinned: true, name: ' ' }, 'name cannot be blank'],
    [
      { fragment: 'recent', is_pinned: true, name: 'Mine' },
      'Built-in views cannot have a custom name.',
    ],
    [{ fragment: 'inbox', is_pinned: false }, 'Navigation view already exists.'],
    [{ fragment: 'y', is_pinned: false, name: 'Alerts' }, 'Navigation view already exists.'],
  ])('[M180] [M181] [M182] %j is refused', async (params, message) => {
    const answer = await add(params);
    expect([answer.status, refused(answer).code]).toEqual([400, 'BAD_REQUEST']);
    expect(refused(answer).msg).toBe(message);
  });
});

describe('a view', () => {
  it('is changed and removed by its path, whole or encoded', async () => {
    const { server, ada } = world;
    const edit = (fragment: string, params: FormInput) =>
      ada.client.patch(`/navigation_views/${fragment}`, params);
    const [told] = await verifyEvents(server, [ada], () =>
      edit(ALERTED, { is_pinned: true, name: 'My alerts' }),
    );
    expect(told).toMatchObject([
      { op: 'update', fragment: ALERTED, data: { is_pinned: true, name: 'My alerts' } },
    ]);
    expect(await verifyEvents(server, [ada], () => edit(ALERTED, { is_pinned: true }))).toEqual([
      [],
    ]);
    ok(await edit(encodeURIComponent('narrow/is/followed'), { name: 'Followed' }));
    expect(refused(await edit('narrow/is/followed', { name: 'My alerts' })).msg).toBe(
      'Navigation view already exists.',
    );
    expect(refused(await edit('inbox', { name: 'Mine' })).msg).toBe(
      'Built-in views cannot have a custom name.',
    );
    const [gone] = await verifyEvents(server, [ada], () =>
      ada.client.delete(`/navigation_views/${ALERTED}`),
    );
    expect(gone).toMatchObject([{ op: 'remove', fragment: ALERTED }]);
    for (const answer of [
      await edit(ALERTED, { is_pinned: true }),
      await ada.client.delete(`/navigation_views/${ALERTED}`),
      await world.bob.client.delete('/navigation_views/inbox'),
    ]) {
      expect([answer.status, answer.body['msg'], answer.body['code']]).toEqual([
        404,
        'Navigation view does not exist.',
        'BAD_REQUEST',
      ]);
    }
  });
});
