// Reactions over HTTP: all three kinds, by name and by code.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import type { MessageObject } from '../message/object.ts';
import {
  ok,
  openMessageWorld,
  refused,
  send,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';

let world: MessageWorld;
let id: number;
let customCode: string;
beforeAll(async () => {
  world = await openMessageWorld();
  const { server, ada, publicId } = world;
  id = await send(ada, publicId, 'reactions', 'react to me');
  const row = await server.ctx.db
    .insertInto('customEmoji')
    .values([
      { name: 'rialto', sourceUrl: '/user_avatars/2/emoji/images/1.png' },
      { name: 'gone', sourceUrl: '/user_avatars/2/emoji/images/2.png', isDeactivated: true },
    ])
    .returning('id')
    .execute();
  customCode = String(row[0]?.id);
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
});

const add = (who: Actor, fields: Record<string, unknown>) =>
  who.client.post(`/messages/${id}/reactions`, fields);
const remove = (who: Actor, fields: Record<string, unknown>) =>
  who.client.delete(`/messages/${id}/reactions`, fields);
const reactions = async () =>
  (ok(await world.bob.client.get(`/messages/${id}`))['message'] as MessageObject).reactions.map(
    ({ emoji_name, emoji_code, reaction_type, user_id }) => [
      emoji_name,
      emoji_code,
      reaction_type,
      user_id,
    ],
  );

describe('a reaction', () => {
  it('of each kind is added by its name, sent to all, and removed by its name alone [M067] [M127] [M128]', async () => {
    const { server, ada, bob, guest, stranger } = world;
    for (const [name, code, type] of [
      ['octopus', '1f419', 'unicode_emoji'],
      ['rialto', customCode, 'realm_emoji'],
      ['zulip', 'zulip', 'zulip_extra_emoji'],
    ]) {
      const [toBob, toStranger] = await verifyEvents(server, [bob, stranger], async () => {
        ok(await add(ada, { emoji_name: name }));
      });
      expect(toBob).toMatchObject([
        {
          type: 'reaction',
          op: 'add',
          message_id: id,
          emoji_name: name,
          emoji_code: code,
          reaction_type: type,
          user_id: ada.id,
          user: { user_id: ada.id, email: ada.email, full_name: ada.fullName },
        },
      ]);
      expect(toStranger).toEqual([]);
      expect(await reactions()).toEqual([[name, code, type, ada.id]]);
      expect(refused(await add(ada, { emoji_name: name })).code).toBe('REACTION_ALREADY_EXISTS');
      const [toGuest] = await verifyEvents(
        server,
        [guest],
        async () => void ok(await remove(ada, { emoji_name: name })),
      );
      expect(toGuest).toMatchObject([{ op: 'remove', emoji_name: name, emoji_code: code }]);
      expect(refused(await remove(ada, { emoji_name: name })).code).toBe('REACTION_DOES_NOT_EXIST');
    }
  });

  it('is removed by its code, within its type, and only if it is there [M129] [M130] [M131] [M210]', async () => {
    const { ada } = world;
    ok(
      await add(ada, {
        emoji_name: 'rialto',
        emoji_code: customCode,
        reaction_type: 'realm_emoji',
      }),
    );
    expect(refused(await remove(ada, { emoji_code: '1f419' })).code).toBe(
      'REACTION_DOES_NOT_EXIST',
    );
    for (const [emoji_code, reaction_type] of [
      ['not hex', undefined],
      ['41', 'unicode_emoji'],
      ['2147483647', 'realm_emoji'],
      ['9999999999', 'realm_emoji'],
      ['other', 'zulip_extra_emoji'],
    ]) {
      expect(refused(await remove(ada, { emoji_code, reaction_type }))).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Invalid emoji code.',
      });
    }
    expect(refused(await remove(ada, { emoji_code: 'x', reaction_type: 'sticker' }))).toMatchObject(
      {
        code: 'BAD_REQUEST',
        msg: 'Invalid emoji type.',
      },
    );
    // A reaction with an emoji that was deactivated since can still be removed.
    const deactivate = (isDeactivated: boolean) =>
      world.server.ctx.db
        .updateTable('customEmoji')
        .set({ isDeactivated })
        .where('id', '=', Number(customCode))
        .execute();
    const own = { emoji_code: customCode, reaction_type: 'realm_emoji' };
    await deactivate(true);
    ok(await remove(ada, own));
    expect(refused(await remove(ada, own)).code).toBe('REACTION_DOES_NOT_EXIST');
    await deactivate(false);
  });

  it('is accepted under the emoji names of this feature level and of older ones', async () => {
    const { ada, publicId } = world;
    const other = await send(ada, publicId, 'reactions', 'by any name');
    const at = (fields: Record<string, unknown>) =>
      ada.client.post(`/messages/${other}/reactions`, fields);
    const unicode = { reaction_type: 'unicode_emoji' };
    for (const [emoji_name, emoji_code] of [
      ['smile', '1f604'],
      ['smile', '1f642'],
      ['flag_germany', '1f1e9-1f1ea'],
      ['piñata', '1fa85'],
    ]) {
      ok(await at({ emoji_name, emoji_code, ...unicode }));
      ok(await ada.client.delete(`/messages/${other}/reactions`, { emoji_code, ...unicode }));
    }
    // Without a code, an older name means the emoji that had it.
    ok(await at({ emoji_name: 'big_smile' }));
    ok(await ada.client.delete(`/messages/${other}/reactions`, { emoji_name: 'smile' }));
    expect(
      refused(await at({ emoji_name: 'big_smile', emoji_code: '1f642', ...unicode })).msg,
    ).toBe('Invalid emoji name.');
  });

  it('is removed by the name under which it was added, whatever the name means now', async () => {
    const { ada, bob, publicId } = world;
    const other = await send(ada, publicId, 'reactions', 'an older reaction');
    const fields = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' };
    ok(await ada.client.post(`/messages/${other}/reactions`, fields));
    ok(await bob.client.post(`/messages/${other}/reactions`, { emoji_name: 'smile' }));
    ok(await ada.client.delete(`/messages/${other}/reactions`, { emoji_name: 'smile' }));
    ok(await bob.client.delete(`/messages/${other}/reactions`, { emoji_name: 'smile' }));
    const { message } = ok(await bob.client.get(`/messages/${other}`)) as {
      message: MessageObject;
    };
    expect(message.reactions).toEqual([]);
  });

  it('uses the name of the first reaction with the same emoji', async () => {
    const { ada, bob } = world;
    ok(await add(ada, { emoji_name: 'octopus' }));
    ok(
      await add(bob, {
        emoji_name: 'eight legs',
        emoji_code: '1f419',
        reaction_type: 'unicode_emoji',
      }),
    );
    expect(await reactions()).toEqual([
      ['octopus', '1f419', 'unicode_emoji', ada.id],
      ['octopus', '1f419', 'unicode_emoji', bob.id],
    ]);
  });

  it.each([
    [{ emoji_name: 'no such thing' }, "Emoji 'no such thing' does not exist"],
    [{ emoji_name: 'gone' }, "Emoji 'gone' does not exist"],
    [
      { emoji_name: 'tada', emoji_code: 'ffff', reaction_type: 'unicode_emoji' },
      'Invalid emoji code.',
    ],
    [
      { emoji_name: 'sad', emoji_code: '1f389', reaction_type: 'unicode_emoji' },
      'Invalid emoji name.',
    ],
    [{ emoji_name: 'x', emoji_code: '999', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
    [{ emoji_name: 'x', emoji_code: 'x', reaction_type: 'sticker' }, 'Invalid emoji type.'],
  ])('%j is refused', async (fields, message) => {
    expect(refused(await add(world.guest, fields)).msg).toBe(message);
  });

  it('needs a name or a code to be removed', async () => {
    expect(refused(await remove(world.ada, {})).msg).toBe(
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    );
  });

  it('needs the right to read the message', async () => {
    const { ada, stranger, privateId } = world;
    const hidden = await send(ada, privateId, 'x', 'y');
    const answer = await stranger.client.post(`/messages/${hidden}/reactions`, {
      emoji_name: 'tada',
    });
    expect(refused(answer).msg).toBe('Invalid message(s)');
  });
});
