// `rialto web-push-keys`: creates the key pair by which the push services of browsers know this server.
import webPush from 'web-push';

/** Lines for the environment. They are printed once and stored nowhere. */
export function renderWebPushKeys(): string {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return [`WEB_PUSH_PUBLIC_KEY=${publicKey}`, `WEB_PUSH_PRIVATE_KEY=${privateKey}`].join('\n');
}
