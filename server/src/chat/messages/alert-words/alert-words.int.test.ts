// Alert words over HTTP, and the flag that they set.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import {
  fetchAll,
  fetchIds,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const PATH = '/users/me/alert_words';
const add = async ({ client }: Actor, words: readonly string[]) =>
  ok(await client.post(PATH, { alert_words: words }))['alert_words'];
const remove = async ({ client }: Actor, words: readonly string[]) =>
  ok(await client.delete(PATH, { alert_words: words }))['alert_words'];
const messagesIn = (events: readonly { type: string }[] | undefined) =>
  events?.filter(({ type }) => type === 'message');
const read = async ({ client }: Actor) => ok(await client.get(PATH))['alert_words'];

describe('the list of alert words', () => {
  it('grows and shrinks without regard to case, and the person’s own clients follow', async () => {
    const { server, bob, ada } = world;
    const [own, other] = await verifyEvents(server, [bob, ada], async () => {
      expect(await add(bob, [' Lunch ', 'tea time', ''])).toEqual(['Lunch', 'tea time']);
      expect(await add(bob, ['LUNCH', 'c++'])).toEqual(['Lunch', 'tea time', 'c++']);
      expect(await add(bob, ['lunch'])).toEqual(['Lunch', 'tea time', 'c++']);
      expect(await remove(bob, ['TEA TIME', 'unknown'])).toEqual(['Lunch', 'c++']);
      expect(await remove(bob, ['unknown'])).toEqual(['Lunch', 'c++']);
    });
    expect(own).toMatchObject([
      { type: 'alert_words', alert_words: ['Lunch', 'tea time'] },
      { type: 'alert_words', alert_words: ['Lunch', 'tea time', 'c++'] },
      { type: 'alert_words', alert_words: ['Lunch', 'c++'] },
    ]);
    expect(other).toEqual([]);
    expect(await read(bob)).toEqual(['Lunch', 'c++']);
    expect(await read(ada)).toEqual([]);
  });

  it.each<[FormInput, string]>([
    [{}, "Missing 'alert_words' argument"],
    [{ alert_words: 'x' }, 'alert_words is not valid JSON'],
    [{ alert_words: [1] }, 'alert_words[0] is not a string'],
    [{ alert_words: ['x'.repeat(101)] }, 'alert_words[0] is too long (limit: 100 characters)'],
  ])('%j is refused', async (params, message) => {
    const { client } = world.ada;
    expect(refused(await client.post(PATH, params)).msg).toBe(message);
    expect(refused(await client.delete(PATH, params)).msg).toBe(message);
  });

  it('has a limit', async () => {
    const { client } = await world.person();
    const words = Array.from({ length: 500 }, (_, n) => `word${n}`);
    ok(await client.post(PATH, { alert_words: words }));
    expect(refused(await client.post(PATH, { alert_words: ['more'] })).msg).toBe(
      'You cannot have more than 500 alert words.',
    );
  });
});

describe('the flag has_alert_word', () => {
  it('is set for those who receive the message and have one of its words', async () => {
    const { server, ada, bob, stranger, publicId } = world;
    await add(stranger, ['lunch']);
    await send(ada, publicId, 'x', 'the first message of a channel changes it');
    const [own, told, outside] = await verifyEvents(server, [ada, bob, stranger], async () => {
      await send(ada, publicId, 'x', 'Who comes to **lunch**?');
      await send(ada, publicId, 'x', 'launch, lunches, prelunch');
      await sendDirect(ada, [bob], 'C++ or what?');
    });
    expect(messagesIn(own)).toMatchObject([{ flags: [] }, { flags: [] }, { flags: [] }]);
    expect(messagesIn(told)).toMatchObject([
      { flags: ['has_alert_word'] },
      { flags: [] },
      { flags: ['has_alert_word'] },
    ]);
    expect(outside).toEqual([]);
  });

  it('is found by is:alerted, and follows edits', async () => {
    const { server, ada, bob, publicId } = world;
    const id = await send(ada, publicId, 'y', 'nothing');
    const alerted = () => fetchIds(bob, { operator: 'is', operand: 'alerted' });
    expect(await alerted()).not.toContain(id);
    const edit = (content: string) => ada.client.patch(`/messages/${id}`, { content });
    const [told] = await verifyEvents(server, [bob], () => edit('now lunch'));
    expect(told).toMatchObject([{ type: 'update_message', flags: ['has_alert_word'] }]);
    expect(await alerted()).toContain(id);
    ok(await edit('nothing again'));
    expect(await alerted()).not.toContain(id);
    const message = (await fetchAll(bob)).find((one) => one.id === id);
    expect(message?.flags).toEqual([]);
  });
});
