// Custom emoji over HTTP: upload, use, and the image itself.
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { settle, verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function upload({ client }: Actor, name: string, ...files: Buffer[]): Promise<Answer> {
  const form = new FormData();
  form.set('note', 'a form without files is one too');
  for (const [index, bytes] of files.entries()) {
    form.append(`file${index}`, new Blob([new Uint8Array(bytes)]), 'picture.png');
  }
  return client.raw(`/realm/emoji/${encodeURIComponent(name)}`, { method: 'POST', body: form });
}

interface Emoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly still_url: string | null;
  readonly deactivated: boolean;
}

const list = async ({ client }: Actor = world.guest) =>
  ok(await client.get('/realm/emoji'))['emoji'] as Record<string, Emoji>;
const named = async (name: string) =>
  Object.values(await list()).find((one) => one.name === name && !one.deactivated);
const remove = ({ client }: Actor, name: string) => client.delete(`/realm/emoji/${name}`);

describe('POST /realm/emoji/{emoji_name}', () => {
  it('adds one, and everybody gets the change or the whole map', async () => {
    const { server, ada, guest } = world;
    const queue = ok(
      await guest.client.post('/register', {
        fetch_event_types: [],
        client_capabilities: { individual_emoji_changes: true },
      }),
    );
    const [told] = await verifyEvents(server, [guest, ada], () => upload(ada, 'my cat', PNG));
    const emoji = await named('my_cat');
    expect(emoji).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'my_cat',
      source_url: `/user_avatars/1/emoji/images/${emoji?.id}.png`,
      still_url: null,
      deactivated: false,
      author_id: ada.id,
    });
    expect(told).toMatchObject([
      { type: 'realm_emoji', op: 'update', realm_emoji: { [emoji?.id ?? '']: emoji } },
    ]);
    await settle(server);
    const { events } = ok(
      await guest.client.get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: queue['last_event_id'],
      }),
    );
    expect(events).toMatchObject([{ type: 'realm_emoji', op: 'add', emoji }]);
    const { realm_emoji } = ok(await ada.client.post('/register', {}));
    expect(realm_emoji).toEqual(await list());
  });

  it('serves the image to everybody, and 404 for an unknown one', async () => {
    const { origin } = world.server;
    const response = await fetch(`${origin}${(await named('my_cat'))?.source_url}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const { format, width, height } = await sharp(await response.arrayBuffer()).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 64, height: 64 });
    for (const file of ['99999.png', 'x.png', '1.svg', '99999999999999.png', 'still/1.png']) {
      const missing = await fetch(`${origin}/user_avatars/1/emoji/images/${file}`);
      expect(missing.status).toBe(404);
    }
  });

  it('keeps an animated one, and a still image of it', async () => {
    const { server, ada } = world;
    const frames = await Promise.all(
      ['#f00', '#0f0'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    ok(await upload(ada, 'blinks', gif));
    const emoji = await named('blinks');
    const folder = '/user_avatars/1/emoji/images';
    expect(emoji).toMatchObject({
      source_url: `${folder}/${emoji?.id}.gif`,
      still_url: `${folder}/still/${emoji?.id}.png`,
    });
    const fetched = async (url: unknown) => {
      const response = await fetch(`${server.origin}${String(url)}`);
      return {
        type: response.headers.get('content-type'),
        ...(await sharp(await response.arrayBuffer()).metadata()),
      };
    };
    expect(await fetched(emoji?.source_url)).toMatchObject({ type: 'image/gif', pages: 2 });
    const still = await fetched(emoji?.still_url);
    expect(still).toMatchObject({ type: 'image/png', format: 'png', width: 64, height: 64 });
  });

  it('makes it an image in messages, and an emoji for reactions and statuses', async () => {
    const { server, ada, bob, publicId } = world;
    const emoji = await named('my_cat');
    const id = await send(ada, publicId, 'x', 'look :my_cat: and :no_cat: `:my_cat:`');
    const message = (await fetchAll(bob)).find((one) => one.id === id);
    expect(message?.content).toBe(
      `<p>look <img alt=":my_cat:" class="emoji" src="${emoji?.source_url}" title="my cat"> and :no_cat: <code>:my_cat:</code></p>`,
    );
    const reaction = { emoji_name: 'my_cat', emoji_code: emoji?.id, reaction_type: 'realm_emoji' };
    const [told] = await verifyEvents(server, [ada], () =>
      bob.client.post(`/messages/${id}/reactions`, { emoji_name: 'my_cat' }),
    );
    expect(told).toMatchObject([{ type: 'reaction', op: 'add', ...reaction }]);
    ok(await bob.client.post('/users/me/status', { emoji_name: 'my_cat' }));
    expect(ok(await ada.client.get(`/users/${bob.id}/status`))['status']).toEqual(reaction);
  });

  it.each<[string, string | RegExp]>([
    [' ', 'Emoji name is missing'],
    ['Cat', /only lowercase English letters/],
    ['cat_', 'Emoji names must end with either a letter or digit.'],
    ['my_cat', 'A custom emoji with this name already exists.'],
    ['smile', 'Only administrators can override default emoji.'],
    ['zulip', 'Only administrators can override default emoji.'],
  ])('%j is refused as a name', async (name, message) => {
    const before = await list();
    expect(refused(await upload(world.ada, name, PNG)).msg).toMatch(message);
    expect(await list()).toEqual(before);
  });

  it('is refused without exactly one file, and with a file that is no image or too large', async () => {
    const { ada } = world;
    expect(refused(await upload(ada, 'other_cat')).msg).toBe('You must upload exactly one file.');
    expect(refused(await upload(ada, 'other_cat', PNG, PNG)).msg).toBe(
      'You must upload exactly one file.',
    );
    expect(refused(await upload(ada, 'other_cat', Buffer.from('<svg onload="x"/>')))).toMatchObject(
      {
        code: 'BAD_IMAGE',
      },
    );
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    expect(refused(await upload(ada, 'other_cat', large)).msg).toBe(
      'Uploaded file is larger than the allowed limit of 5 MiB',
    );
    expect(await named('other_cat')).toBeUndefined();
  });

  it('is refused to guests, to bots, and to people without the permission', async () => {
    const { owner, ada, guest, person } = world;
    expect(refused(await upload(guest, 'other_cat', PNG)).msg).toBe('Not allowed for guest users');
    const bot = await person({ botType: 1 });
    expect(refused(await upload(bot, 'other_cat', PNG)).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
    const let_ = (group: number) =>
      owner.client.patch('/realm', { can_add_custom_emoji_group: { new: group } });
    const groups = ok(await owner.client.get('/user_groups'))['user_groups'] as {
      id: number;
      name: string;
    }[];
    const group = (name: string) => groups.find((one) => one.name === name)?.id ?? 0;
    ok(await let_(group('role:administrators')));
    expect(refused(await upload(ada, 'other_cat', PNG)).msg).toBe('Insufficient permission');
    ok(await upload(owner, 'other_cat', PNG));
    ok(await let_(group('role:members')));
  });

  it('may replace a built-in emoji, if an administrator uploads it', async () => {
    const { owner, ada, publicId } = world;
    ok(await upload(owner, 'smile', PNG));
    const id = await send(ada, publicId, 'x', ':smile:');
    const message = (await fetchAll(ada)).find((one) => one.id === id);
    expect(message?.content).toContain((await named('smile'))?.source_url);
  });
});

describe('DELETE /realm/emoji/{emoji_name}', () => {
  it('is for the author and administrators; the emoji stays visible where it was used', async () => {
    const { server, owner, ada, bob, publicId } = world;
    const { id } = (await named('my_cat')) as Emoji;
    expect(refused(await remove(bob, 'my_cat')).msg).toBe(
      'Must be an organization administrator or emoji author',
    );
    const queue = ok(
      await bob.client.post('/register', {
        event_types: ['realm_emoji'],
        client_capabilities: { individual_emoji_changes: true },
      }),
    );
    const [told] = await verifyEvents(server, [bob], () => remove(ada, 'my_cat'));
    expect(told).toMatchObject([{ op: 'update', realm_emoji: { [id]: { deactivated: true } } }]);
    const { events } = ok(
      await bob.client.get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: queue['last_event_id'],
      }),
    );
    expect(events).toMatchObject([{ op: 'update_one', emoji_id: id, data: { deactivated: true } }]);
    const after = await send(ada, publicId, 'x', ':my_cat:');
    const message = (await fetchAll(ada)).find((one) => one.id === after);
    expect(message?.content).toBe('<p>:my_cat:</p>');
    ok(await upload(bob, 'my_cat', PNG));
    ok(await remove(owner, 'my_cat'));
    const answer = await remove(owner, 'my_cat');
    expect([answer.status, answer.body['msg']]).toEqual([404, "Emoji 'my_cat' does not exist"]);
  });
});
