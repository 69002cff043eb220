// Which calls of the chat API may be sent twice.
import type { ChatMethods } from './methods.generated.ts';
import type { Params } from './encode.ts';

/** A second time finds everything as the first one left it. */
const REPEATABLE: ReadonlySet<string> = new Set<keyof ChatMethods>([
  // A queue that nobody reads is forgotten by the server.
  'registerQueue',
  'deleteQueue',
  'subscribe',
  'unsubscribe',
  'updateMessageFlags',
  'markAllAsRead',
  'markStreamAsRead',
  'markTopicAsRead',
  'setTypingStatus',
  'updatePresence',
  'updateStatus',
  'updateUserTopic',
  'renderMessage',
  'updateBotStorage',
]);

/** The server sends a message under a UUID once, and answers the same request with its id for 24 hours. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isRepeatable = (method: string, name: keyof ChatMethods, params: Params): boolean =>
  method === 'GET' || REPEATABLE.has(name) || (name === 'sendMessage' && isSentOnce(params));

/** Any other local id is the message's only together with its queue. */
function isSentOnce({ local_id: localId, queue_id: queueId }: Params): boolean {
  if (typeof localId !== 'string') return false;
  return UUID.test(localId) || queueId !== undefined;
}

/** Gives the message an id of its own, unless the caller did. */
export const withLocalId = (params: Params): Params =>
  params['local_id'] === undefined ? { ...params, local_id: crypto.randomUUID() } : params;
