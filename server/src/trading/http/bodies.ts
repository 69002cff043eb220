// Signatures cover bodies, so a body is read before its sender is authenticated. The allowed size
// depends on what is known by then: nothing without a key's name, little without the name of an
// existing key, and a bounded amount at once from one address.
import type { FastifyRequest } from 'fastify';
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import type { Verifier } from '../../accounts/trading-keys/verify.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import { STRANGERS_BODY_BYTES_MAX } from '../../platform/http/server.ts';
import { hasBody } from './authenticate.ts';
import { refuse } from './errors.ts';

export const BODY_BYTES_MAX = 256 * 1024;

/** Total of long bodies in flight from one address. */
const BYTES_PER_ADDRESS_MAX = 4 * 1024 * 1024;

/** Refuses a request before its body is read, or lets it be read; at once unless it has to ask for the key. */
export type BodyGuard = (request: FastifyRequest) => Promise<void> | undefined;

/** Counts the long body of a request for its address, or refuses it. */
export type BodyCounter = (request: FastifyRequest) => void;

export function createBodyCounter(): BodyCounter {
  const onTheirWay = new Map<string, number>();

  /** Counts the bytes until the request has come, or has gone. */
  function count(request: FastifyRequest, bytes: number): void {
    const key = limitKeyOf(request.caller);
    const all = (onTheirWay.get(key) ?? 0) + bytes;
    if (all > BYTES_PER_ADDRESS_MAX) {
      throw refuse(
        'UNAVAILABLE',
        `Bodies of more than ${BYTES_PER_ADDRESS_MAX} bytes are on their way from your address. Nothing was done; try again.`,
      );
    }
    onTheirWay.set(key, all);
    request.raw.once('close', () => {
      const left = (onTheirWay.get(key) ?? bytes) - bytes;
      if (left > 0) onTheirWay.set(key, left);
      else onTheirWay.delete(key);
    });
  }

  return (request) => {
    if (!hasBody(request)) return;
    const bytes = announcedBytes(request);
    // The body parser refuses what is too long.
    if (isLong(bytes)) count(request, bytes);
  };
}

export function createBodyGuard(
  verifier: Pick<Verifier, 'knows'>,
  countBody: BodyCounter,
): BodyGuard {
  async function requireKnown(keyId: string): Promise<void> {
    if (await verifier.knows(keyId)) return;
    throw new RequestProblem('API_KEY_INVALID', 'The key is unknown, disabled or expired.');
  }

  return (request) => {
    if (!hasBody(request)) return undefined;
    const keyId = request.headers['x-svc-apikey'];
    if (typeof keyId !== 'string' || keyId === '') {
      throw new RequestProblem('API_KEY_MISSING', 'The header X-SVC-APIKEY is missing.');
    }
    countBody(request);
    return isLong(announcedBytes(request)) ? requireKnown(keyId) : undefined;
  };
}

const isLong = (bytes: number): boolean =>
  bytes > STRANGERS_BODY_BYTES_MAX && bytes <= BODY_BYTES_MAX;

/** A body without a stated length counts as the longest allowed. */
const announcedBytes = ({ headers }: FastifyRequest): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : BODY_BYTES_MAX;
