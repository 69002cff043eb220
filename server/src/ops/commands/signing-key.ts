// `rialto signing-key`: creates the key pair with which the venue signs the public log and the receipts of orders.
import { toSigningKey } from '@rialto/public-log';
import { createKeyPair, openPrivateKey } from '../../accounts/audit/head.ts';

/** A line for the environment of the worker and of the api, and the public part. They are stored nowhere. */
export function renderSigningKey(): string {
  const { privateKey } = createKeyPair();
  const { keyId, publicKey } = toSigningKey(openPrivateKey(privateKey));
  return [
    `PUBLIC_SIGNING_KEY=${privateKey}`,
    '# Publish this one, also apart from the server: the public log and receipts are checked with it.',
    `# public key: ${publicKey}`,
    `# key id:     ${keyId}`,
  ].join('\n');
}
