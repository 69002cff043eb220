// Muting people over HTTP: their messages count as read, the earlier and the later ones.
import { describe, expect, it } from 'vitest';
import { verifyEvents } from '../../../testing/verify-events.ts';
import {
  fetchAll,
  ok,
  useMessageWorld,
  refused,
  send,
  sendDirect,
  type Actor,
} from '../../../testing/chat/world.ts';

const world = useMessageWorld();

const mute = ({ client }: Actor, { id }: { id: number }) =>
  client.post(`/users/me/muted_users/${id}`);
const unmute = ({ client }: Actor, { id }: { id: number }) =>
  client.delete(`/users/me/muted_users/${id}`);
const mutedOf = async ({ client }: Actor) =>
  ok(await client.post('/register', { fetch_event_types: ['muted_users'] }))['muted_users'];

const messagesIn = (events: readonly { type: string }[] | undefined) =>
  events?.filter(({ type }) => type === 'message');

const flagsOf = async (actor: Actor, id: number) =>
  (await fetchAll(actor)).find((message) => message.id === id)?.flags;

describe('POST /users/me/muted_users/{muted_user_id}', () => {
  it('marks their unread messages as read, and no others', async () => {
    const { server, ada, bob, guest, publicId } = world;
    const fromBob = [await send(bob, publicId, 'x', 'hello'), await sendDirect(bob, [ada], 'psst')];
    const fromGuest = await send(guest, publicId, 'x', 'hello');
    const [own, theirs] = await verifyEvents(server, [ada, bob], () => mute(ada, bob));
    expect(own).toMatchObject([
      { type: 'muted_users', muted_users: [{ id: bob.id, timestamp: expect.any(Number) }] },
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: fromBob },
    ]);
    expect(theirs).toEqual([]);
    for (const id of fromBob) expect(await flagsOf(ada, id)).toEqual(['read']);
    expect(await flagsOf(ada, fromGuest)).toEqual([]);
    expect(await mutedOf(ada)).toEqual([{ id: bob.id, timestamp: expect.any(Number) }]);
    expect(await mutedOf(bob)).toEqual([]);
  });

  it('makes their later messages arrive as read, for nobody else', async () => {
    const { server, ada, bob, guest, publicId } = world;
    const [own, other] = await verifyEvents(server, [ada, guest], async () => {
      await send(bob, publicId, 'x', '@**Ada** hello');
      await sendDirect(bob, [ada, guest], 'psst');
    });
    expect(messagesIn(own)).toMatchObject([{ flags: ['read', 'mentioned'] }, { flags: ['read'] }]);
    expect(messagesIn(other)).toMatchObject([{ flags: [] }, { flags: [] }]);
  });

  it('ends with DELETE', async () => {
    const { server, ada, bob, publicId } = world;
    const [own] = await verifyEvents(server, [ada], () => unmute(ada, bob));
    expect(own).toMatchObject([{ type: 'muted_users', muted_users: [] }]);
    const [after] = await verifyEvents(server, [ada], () => send(bob, publicId, 'x', 'hi'));
    expect(after).toMatchObject([{ flags: [] }]);
  });

  it('is refused for oneself, for unknown people, and twice; so is unmuting', async () => {
    const { ada, bob, guest } = world;
    const nobody = { id: 999_999 };
    expect(refused(await mute(ada, ada)).msg).toBe('Cannot mute self');
    expect(refused(await mute(ada, nobody)).msg).toBe('No such user');
    ok(await mute(ada, guest));
    expect(refused(await mute(ada, guest)).msg).toBe('User already muted');
    expect(refused(await unmute(ada, nobody)).msg).toBe('No such user');
    expect(refused(await unmute(ada, bob)).msg).toBe('User is not muted');
    ok(await unmute(ada, guest));
    expect(await mutedOf(ada)).toEqual([]);
  });

  it('works for somebody who was deactivated', async () => {
    const { owner, ada, person } = world;
    const gone = await person();
    ok(await owner.client.delete(`/users/${gone.id}`));
    ok(await mute(ada, gone));
    ok(await unmute(ada, gone));
  });
});
