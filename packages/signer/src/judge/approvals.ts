// Signatures of operators over a payment. They name everything that matters of it, so that an approval of one payment
// is worth nothing for another.
import { createPublicKey, verify } from 'node:crypto';
import { canonicalJson, sha256 } from '../canonical.ts';
import type { Operator } from '../policy/policy.ts';
import type { Approval, SignRequest } from '../request.ts';

const PREFIX = 'ed25519:';

/** What operators sign. */
export function approvalDigest({
  network,
  kind,
  outputs,
  paymentId,
}: Pick<SignRequest, 'network' | 'kind' | 'outputs' | 'paymentId'>): Buffer {
  return sha256(canonicalJson({ network, kind, outputs, paymentId }));
}

/** The operators whose signatures over the digest are good, each once. */
export function listApprovers(
  digest: Uint8Array,
  approvals: readonly Approval[],
  operators: readonly Operator[],
): Operator[] {
  return operators.filter(({ key }) =>
    approvals.some((approval) => approval.key === key && isSignature(digest, approval)),
  );
}

function isSignature(digest: Uint8Array, { key, signature }: Approval): boolean {
  const bytes = Buffer.from(signature, 'base64');
  if (bytes.length !== 64) return false;
  try {
    const x = Buffer.from(key.slice(PREFIX.length), 'base64').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, digest, publicKey, bytes);
  } catch {
    return false;
  }
}

/** How a public key is written in a policy. */
export const showKey = (raw: Uint8Array): string => PREFIX + Buffer.from(raw).toString('base64');
