// What the server asks for before an act that matters: a proof that the person is there. Pure.
import { RialtoError } from '@rialto/sdk';

export type Method = 'passkey' | 'totp' | 'password' | 'oidc';

export interface Demand {
  /** `fresh`: one proof is good for some minutes. `each`: this act alone, with a factor of its own. */
  readonly level: 'fresh' | 'each';
  readonly methods: readonly Method[];
  /** The account has no second factor and needs one first. */
  readonly enrol: boolean;
}

const METHODS: readonly Method[] = ['passkey', 'totp', 'password', 'oidc'];
/** The code of the trading API for the same. */
const CODES: readonly string[] = ['SECOND_FACTOR_REQUIRED', '3009'];

/** The demand in a refusal; undefined if it was refused for another reason. */
export function demandIn(error: unknown): Demand | undefined {
  if (!(error instanceof RialtoError)) return undefined;
  if (!CODES.includes(error.code) && error.name !== 'SECOND_FACTOR_REQUIRED') return undefined;
  const { level, methods, enrol } = error.details;
  const named = Array.isArray(methods) ? methods : [];
  return {
    level: level === 'each' ? 'each' : 'fresh',
    methods: METHODS.filter((method) => named.includes(method)),
    enrol: enrol === true || enrol === 'true',
  };
}
