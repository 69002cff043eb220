// Leaving: this browser forgets what it stored and is notified no more, then the server ends the session and shows its
// own page.
import { CLOSED_KEY } from '../chat/inbox/closed.ts';
import { turnPushOff } from '../settings/web-push.ts';
import { forgetLastMarket } from '../trade/last-market.ts';
import type { Store } from '../state/store.ts';
import { wipeTrade } from '../trade/intents/storage.ts';
import { NAV_KEY } from './nav/open.ts';
import { leaveWorker } from './worker.ts';

/** Nobody waits longer for the server to hear of it: the push service tells it later. */
const TOLD_WITHIN_MS = 2000;

export async function signOut(store: Store): Promise<void> {
  store.stop();
  await Promise.race([attempt(() => turnPushOff(store.client.chat)), pause(TOLD_WITHIN_MS)]);
  await attempt(leaveWorker);
  await attempt(() => store.wipe());
  forgetLastMarket();
  for (const key of [NAV_KEY, CLOSED_KEY]) localStorage.removeItem(key);
  wipeTrade(localStorage, store.client.boot.user.id);
  post('/accounts/logout/', {
    csrfmiddlewaretoken: store.client.boot.csrfToken,
    lang: document.documentElement.lang,
  });
}

/** A browser that cannot delete must still be able to leave. */
const attempt = (act: () => Promise<unknown>): Promise<unknown> => act().catch(() => undefined);

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function post(action: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}
