// The clock and the calls that the tests of edits and of moves share.
import { afterEach } from 'vitest';
import { ok, type Actor, type MessageWorld } from '../../../testing/chat/world.ts';
import type { MessageObject } from '../message/object.ts';

/** A clock that a test can set forward; the next test has the real time again. */
export function useSettableClock() {
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  afterEach(() => {
    clock.offsetMs = 0;
  });
  return clock;
}

export const setRealm = async (
  { owner }: Pick<MessageWorld, 'owner'>,
  fields: Record<string, unknown>,
): Promise<void> => void ok(await owner.client.patch('/realm', fields));

export const channel = (operand: number) => ({ operator: 'channel', operand });
/** Edits without notices of the notification bot, which has its own tests. */
export const edit = (who: Actor, id: number, fields: Record<string, unknown>) =>
  who.client.patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...fields });
export const remove = (who: Actor, id: number) => who.client.delete(`/messages/${id}`);

export async function read(who: Actor, id: number, more = {}): Promise<MessageObject> {
  const body = ok(await who.client.get(`/messages/${id}`, more));
  return body['message'] as MessageObject;
}

export const history = async (who: Actor, id: number) =>
  ok(await who.client.get(`/messages/${id}/history`))['message_history'] as Record<
    string,
    unknown
  >[];
