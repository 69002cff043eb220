// Linkifiers over HTTP: their list, their order, and their links.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
}

const list = async ({ client }: Actor = world.guest) =>
  ok(await client.get('/realm/linkifiers'))['linkifiers'] as Linkifier[];
const create = (params: FormInput, { client } = world.owner) =>
  client.post('/realm/filters', params);

const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' };
const NONE = { example_input: null, reverse_template: null, alternative_url_templates: [] };

/** Posts a message and returns its rendered content and topic links. */
async function render(topic: string, content: string) {
  const { ada, publicId } = world;
  const id = await send(ada, publicId, topic, content);
  const message = (await fetchAll(ada)).find((one) => one.id === id);
  return { html: message?.content, links: message?.topic_links };
}

describe('linkifiers', () => {
  it('[M041] [M042] [M043] [M163] are created by administrators, and everybody lists them and gets the events', async () => {
    const { server, ada, guest } = world;
    expect(await list()).toEqual([]);
    let id = 0;
    const [told] = await verifyEvents(server, [ada, guest], async () => {
      id = Number(ok(await create(ISSUE))['id']);
    });
    const row = { id, ...ISSUE, ...NONE };
    expect(told).toMatchObject([{ type: 'realm_linkifiers', realm_linkifiers: [row] }]);
    for (const reader of [guest, ada]) expect(await list(reader)).toEqual([row]);
    const body = ok(await ada.client.post('/register', {}));
    // A client that does not declare support for templates gets none.
    expect(body).toMatchObject({ realm_linkifiers: [], realm_filters: [] });
  });

  it('[M163] takes no parameters', async () => {
    const body = ok(await world.ada.client.get('/realm/linkifiers', { all: true }));
    expect(body['ignored_parameters_unsupported']).toEqual(['all']);
  });

  it('[M042] [M043] make links in messages, previews and topics', async () => {
    const { html, links } = await render('about #77', 'see #123, not a#5');
    expect(html).toContain('<a href="https://issues.example.com/123">#123</a>');
    expect(html).not.toContain('/5"');
    expect(links).toEqual([{ text: '#77', url: 'https://issues.example.com/77' }]);
    const preview = ok(await world.ada.client.post('/messages/render', { content: '#9' }));
    expect(preview['rendered']).toContain('https://issues.example.com/9');
  });

  it('make links in a topic that messages move to', async () => {
    const { server, ada, publicId } = world;
    const id = await send(ada, publicId, 'plain', 'x');
    const [told] = await verifyEvents(server, [ada], () =>
      ada.client.patch(`/messages/${id}`, { topic: 'now #8' }),
    );
    const update = told?.find(({ type }) => type === 'update_message');
    expect(update).toMatchObject({
      topic_links: [{ text: '#8', url: 'https://issues.example.com/8' }],
    });
  });

  it('[M044] are tried in an order that administrators can change', async () => {
    const { server, owner, ada } = world;
    const second = Number(
      ok(
        await create({
          pattern: '#(?P<n>12[0-9]+)',
          url_template: 'https://other.example.com/{n}',
        }),
      )['id'],
    );
    const ids = (await list()).map(({ id }) => id);
    expect(ids.at(-1)).toBe(second);
    expect((await render('x', '#123')).html).toContain('https://issues.example.com/123');
    const order = (list: readonly number[]) =>
      owner.client.patch('/realm/linkifiers', { ordered_linkifier_ids: list });
    const [told] = await verifyEvents(server, [ada], () => order(ids.toReversed()));
    expect(told).toHaveLength(1);
    expect((await list()).map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await render('x', '#123')).html).toContain('https://other.example.com/123');
    expect(refused(await order([second, second])).msg).toBe(
      'The ordered list must not contain duplicated linkifiers',
    );
    for (const wrong of [[second], [...ids, 999_999], []]) {
      expect(refused(await order(wrong)).msg).toBe(
        'The ordered list must enumerate all existing linkifiers exactly once',
      );
    }
    ok(await owner.client.delete(`/realm/filters/${second}`));
  });

  it('can be changed, including their optional values', async () => {
    const { server, owner, ada } = world;
    const [{ id } = { id: 0 }] = await list();
    const edit = (params: FormInput, by = owner) =>
      by.client.patch(`/realm/filters/${id}`, { ...ISSUE, ...params });
    await verifyEvents(server, [ada], () =>
      edit({
        example_input: '#5',
        reverse_template: '#{id}',
        alternative_url_templates: ['https://old.example.com/{id}'],
      }),
    );
    expect(await list()).toMatchObject([
      {
        example_input: '#5',
        reverse_template: '#{id}',
        alternative_url_templates: ['https://old.example.com/{id}'],
      },
    ]);
    ok(await edit({ example_input: '' }));
    expect(await list()).toMatchObject([{ example_input: null, reverse_template: '#{id}' }]);
    expect(refused(await edit({}, ada)).code).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(refused(await owner.client.patch('/realm/filters/999999', ISSUE)).msg).toBe(
      'Linkifier not found.',
    );
  });

  it.each<[FormInput, string, string]>([
    [{ ...ISSUE, pattern: '' }, 'pattern', 'This field cannot be blank.'],
    [
      { ...ISSUE, url_template: 'https://example.com/{id' },
      'url_template',
      'Invalid URL template.',
    ],
    [
      { ...ISSUE, pattern: '!(?P<x>[0-9]+)' },
      '__all__',
      "Group 'id' in URL template is not present in linkifier pattern.",
    ],
    [
      { ...ISSUE, pattern: '!(?P<id>[0-9]+)(?P<y>b)' },
      '__all__',
      "Group 'y' in linkifier pattern is not present in URL template.",
    ],
    [ISSUE, '__all__', 'Linkifier with this Realm and Pattern already exists.'],
  ])('[M043] %j is refused, by field', async (params, field, msg) => {
    const before = await list();
    const { status, body } = await create(params);
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg,
      code: 'BAD_REQUEST',
      errors: { [field]: [msg] },
    });
    expect(await list()).toEqual(before);
  });

  it('[M042] are refused with a pattern that RE2 does not accept, and to members', async () => {
    for (const pattern of ['#(?P<id>[0-9]+', '(?P<id>a)(?=b)', '(?P<id>a)\\1']) {
      const { body } = await create({ ...ISSUE, pattern });
      expect(body['msg']).toMatch(/^Bad regular expression: /);
      expect(body['errors']).toEqual({ pattern: [body['msg']] });
    }
    expect(refused(await create(ISSUE, world.ada)).code).toBe('UNAUTHORIZED_PRINCIPAL');
  });

  it('can be removed, and links that were made stay', async () => {
    const { server, owner, ada } = world;
    const before = await render('x', '#55');
    const [{ id } = { id: 0 }] = await list();
    const [told] = await verifyEvents(server, [ada], () =>
      owner.client.delete(`/realm/filters/${id}`),
    );
    expect(told).toMatchObject([{ realm_linkifiers: [] }]);
    expect(await list()).toEqual([]);
    expect(before.html).toContain('issues.example.com/55');
    expect((await render('x', '#55')).html).toBe('<p>#55</p>');
    expect(refused(await owner.client.delete(`/realm/filters/${id}`)).msg).toBe(
      'Linkifier not found.',
    );
  });
});
