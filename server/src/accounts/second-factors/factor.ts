// The words for second factors, and for how a person proved who they are.

/** What can be asked for after a first proof. */
export type FactorKind = 'totp' | 'passkey' | 'recovery';

/** A factor as it is shown. `boundTo` is the hash of the act that an assertion was made for. */
export type FactorAnswer =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string }
  | { readonly kind: 'passkey'; readonly assertion: unknown; readonly boundTo?: Buffer };

/**
 * What a session must prove again. `fresh`: a factor within STEP_UP_MINUTES, or the password of an account without
 * factors. `each`: a factor for this very act; an account without factors has to enrol first.
 */
export type StepUp = 'fresh' | 'each';

/** What a person has. */
export interface Factors {
  readonly totp: boolean;
  /** Those that can be used. */
  readonly passkeys: number;
  /** Passkeys that may be copies. They open nothing, but the password alone does not open the account either. */
  readonly suspected?: number;
  readonly recoveryCodes: number;
}

/** Recovery codes alone are no factor: they replace one that was lost. */
export const hasFactor = ({ totp, passkeys, suspected = 0 }: Factors): boolean =>
  totp || passkeys > 0 || suspected > 0;

/** What may be asked of this person, best first. */
export const methodsOf = (factors: Factors): FactorKind[] => [
  ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
  ...(factors.totp ? (['totp'] as const) : []),
  ...(factors.recoveryCodes > 0 && hasFactor(factors) ? (['recovery'] as const) : []),
];
