// The act that a factor is asked for. An assertion is made for one act: its method, its path and its parameters.
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../platform/config/schema.ts';
import { limitKeyOf } from '../../platform/http/address.ts';
import { cookieNames, isHttps, parseCookie } from '../sessions/cookies.ts';
import type { FactorAnswer } from './factor.ts';

/** Where a factor is shown: the network that the caller's address counts as, and the browser's device cookie. */
export interface FactorPlace {
  readonly address: string;
  readonly device: string | undefined;
}

export type ActParameter = readonly [name: string, value: string];

export interface Act {
  readonly method: string;
  /** The whole path, without the query. */
  readonly path: string;
  /** As they were sent, decoded; without the CSRF token. */
  readonly params: readonly ActParameter[];
  /** The factor that came with the request, if one did. */
  readonly answer: FactorAnswer | undefined;
  readonly place: FactorPlace;
}

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The caller's address, as far as it can be trusted. */
  readonly caller: string;
}

/** The act of a request; `method` is the one that is meant, which a form may name. */
export function actOf(
  config: Pick<Config, 'PUBLIC_URL'>,
  request: Asked,
  method: string,
  params: readonly ActParameter[],
): Act {
  const [path = ''] = request.url.split('?', 1);
  const bare = { method, path, params };
  return { ...bare, answer: answerIn(request, bare), place: placeOf(config, request) };
}

export const placeOf = (
  config: Pick<Config, 'PUBLIC_URL'>,
  { headers, caller }: Pick<Asked, 'headers' | 'caller'>,
): FactorPlace => ({
  address: limitKeyOf(caller),
  device: parseCookie(headers.cookie, cookieNames(isHttps(config)).device),
});

/** What an assertion for this act is bound to: SHA-256 of method, path and parameters, whatever their order. */
export function hashAct({ method, path, params }: Pick<Act, 'method' | 'path' | 'params'>): Buffer {
  const text = params
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&');
  return createHash('sha256').update(`${method}\n${path}\n${text}`).digest();
}

/** A code in X-SVC-OTP, or the JSON of an assertion in X-SVC-ASSERTION. */
function answerIn(
  { headers }: Pick<Asked, 'headers'>,
  act: Pick<Act, 'method' | 'path' | 'params'>,
): FactorAnswer | undefined {
  const code = headers['x-svc-otp'];
  if (typeof code === 'string') return { kind: 'totp', code: code.trim() };
  const text = headers['x-svc-assertion'];
  if (typeof text !== 'string') return undefined;
  return { kind: 'passkey', assertion: text, boundTo: hashAct(act) };
}
