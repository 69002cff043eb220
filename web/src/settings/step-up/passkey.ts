// Asks the browser for a passkey, with the question that the server made.
import { callSession } from '../../api/session-call.ts';

export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** The assertion as the API takes it. Throws what the browser throws when the person closes its window. */
export async function askPasskey(): Promise<string> {
  const { options } = await callSession<{ options: PublicKeyCredentialRequestOptionsJSON }>({
    method: 'POST',
    path: '/step_up/passkey',
  });
  const credential = await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.');
  return JSON.stringify(credential.toJSON());
}
