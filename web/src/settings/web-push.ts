// Notices of this browser while no page is open: asking for permission, and telling the server where to send them.
import type { Chat } from '@rialto/sdk';

export type PushState =
  | 'unsupported'
  /** The browser refuses; only its own settings can change that. */
  | 'blocked'
  | 'off'
  | 'on';

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export async function readPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return (await findEndpoint()) === undefined ? 'off' : 'on';
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!isSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.pushManager.getSubscription() ?? null;
}

/** By which this browser recognises itself in the list of the server. */
export const findEndpoint = async (): Promise<string | undefined> =>
  (await findSubscription())?.endpoint;

/** Asks the person, then the browser, then the server. Returns how it stands afterwards. */
export async function turnPushOn(chat: Chat, publicKey: string): Promise<PushState> {
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return answer === 'denied' ? 'blocked' : 'off';
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration === undefined) return 'unsupported';
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  return (await tellServer(chat, subscription)) ? 'on' : 'unsupported';
}

async function tellServer(chat: Chat, subscription: PushSubscription): Promise<boolean> {
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return false;
  await chat.subscribeBrowser({ endpoint, p256dh, auth });
  return true;
}

/** The server notifies a browser as long as its session lasts, so a new session tells it again. */
export async function renewPush(chat: Chat): Promise<void> {
  const subscription = await findSubscription();
  if (subscription !== null) await tellServer(chat, subscription);
}

/** The browser forgets it also if the server did not answer: the push service tells the server then. */
export async function turnPushOff(chat: Chat): Promise<PushState> {
  const subscription = await findSubscription();
  if (subscription === null) return 'off';
  try {
    await chat.unsubscribeBrowser({ endpoint: subscription.endpoint });
  } finally {
    await subscription.unsubscribe();
  }
  return 'off';
}
