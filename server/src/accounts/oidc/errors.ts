// What can be refused when people sign in with a provider or link one.
import { Refusal } from '../../platform/http/refusal.ts';

/** What a page says. The details are in the log: the answer may have been forged. */
export type OidcProblem =
  /** The answer belongs to no sign-in of this browser: too late, used, or somebody else's. */
  | 'expired'
  | 'denied'
  | 'refused'
  | 'away'
  /** No account is linked; whether there is one with the address is not told. */
  | 'unknown'
  | 'deactivated'
  /** The identity opens another account. */
  | 'taken'
  | 'off';

const MESSAGES: Readonly<Record<OidcProblem, readonly [status: number, message: string]>> = {
  expired: [400, 'This sign-in is too old, or was begun in another browser. Start again.'],
  denied: [403, 'The provider did not let you sign in.'],
  refused: [401, 'The answer of the provider could not be accepted. Start again.'],
  away: [503, 'The provider does not answer at the moment. Try again shortly.'],
  unknown: [
    403,
    'No account here is linked to this identity. If you have an account, sign in first and link it in your settings.',
  ],
  deactivated: [403, 'This account is deactivated. An administrator can reactivate it.'],
  taken: [409, 'This identity opens another account already.'],
  off: [403, 'The organization has switched this way to sign in off.'],
};

export class OidcRefusal extends Refusal {
  override name = 'OidcRefusal';
  readonly problem: OidcProblem;
  constructor(problem: OidcProblem) {
    const [status, message] = MESSAGES[problem];
    super({
      code: `IDENTITY_${problem.toUpperCase()}`,
      message,
      status,
      ...(problem === 'away' && { headers: { 'retry-after': '5' } }),
    });
    this.problem = problem;
  }
}

export const noSuchProvider = (id: string): Refusal =>
  new Refusal({
    code: 'BAD_REQUEST',
    message: `No such provider: ${id.slice(0, 40)}. GET /json/identities lists those that there are.`,
    status: 404,
  });

export const notLinked = (): Refusal =>
  new Refusal({ code: 'BAD_REQUEST', message: 'This provider is not linked.', status: 400 });

export const onlyWayIn = (): Refusal =>
  new Refusal({
    code: 'ONLY_WAY_IN',
    message:
      'This is the only way into your account. Set a password, link another provider or add a passkey first.',
    status: 400,
  });
