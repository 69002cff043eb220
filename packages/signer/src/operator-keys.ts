// The keys of operators. They are made and used on the operators' own machines, never on the server's or the signer's.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto';
import { Value } from 'typebox/value';
import { SignerFault } from './fault.ts';
import { approvalDigest, showKey } from './judge/approvals.ts';
import { Statement, recoveryDigest } from './memory/recovery.ts';
import { readRequest, type Approval } from './request.ts';
import { Refusal } from './refusal.ts';

export function createOperatorKey(): { privateKey: string; key: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    key: publicKeyOf(privateKey),
  };
}

/** Signs a request for a payment, or the statement of a recovery. */
export function approve(text: string, pem: string): Approval {
  const privateKey = readKey(pem);
  return {
    key: publicKeyOf(privateKey),
    signature: sign(null, digestOf(text), privateKey).toString('base64'),
  };
}

function digestOf(text: string): Buffer {
  try {
    const value: unknown = JSON.parse(text);
    if (Value.Check(Statement, value)) return recoveryDigest(value);
    const request = readRequest(text);
    if (request.op === 'sign') return approvalDigest(request);
  } catch (error) {
    const why = error instanceof Refusal ? ` ${error.message}` : '';
    throw new SignerFault(
      `The file is neither a request to sign nor a statement of recovery.${why}`,
    );
  }
  throw new SignerFault('There is nothing to approve in this file.');
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // What follows says it.
  }
  throw new SignerFault('The key is not one that `rialto signer operator-key` made.');
}

function publicKeyOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new SignerFault('The key has no public part.');
  return showKey(Buffer.from(x, 'base64url'));
}
