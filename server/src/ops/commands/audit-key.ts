// `rialto audit-key`: creates the key pair with which the head of the audit log is signed and checked.
import { createKeyPair, keyIdOf } from '../../accounts/audit/head.ts';

/** A line for the worker's environment, and the public part. They are printed once and stored nowhere. */
export function renderAuditKey(): string {
  const { privateKey, publicKey } = createKeyPair();
  return [
    `AUDIT_SIGNING_KEY=${privateKey}`,
    `# Publish this one, apart from the server: it is needed to verify the log.`,
    `# public key: ${publicKey}`,
    `# key id:     ${keyIdOf(publicKey)}`,
  ].join('\n');
}
