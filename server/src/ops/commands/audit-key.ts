// `rialto audit-key`: the pair of keys with which the head of the audit log is signed and checked.
import { createKeyPair, keyIdOf } from '../../accounts/audit/head.ts';

/** A line for the environment of the worker, and what everybody may know. They are printed once and kept nowhere. */
export function renderAuditKey(): string {
  const { privateKey, publicKey } = createKeyPair();
  return [
    `AUDIT_SIGNING_KEY=${privateKey}`,
    `# Publish this one, apart from the server: whoever verifies the log needs it.`,
    `# public key: ${publicKey}`,
    `# key id:     ${keyIdOf(publicKey)}`,
  ].join('\n');
}
