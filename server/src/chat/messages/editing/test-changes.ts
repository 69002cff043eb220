// Calls that the tests of edits and of moves share.
import { ok, type Actor } from '../../../testing/chat/world.ts';
import type { MessageObject } from '../message/object.ts';

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
