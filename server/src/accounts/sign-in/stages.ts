// What follows a proof of identity. Every way to sign in (password, passkey, provider) ends here.
import type { Context } from '../../platform/context.ts';
import type { FactorKind, Method } from '../second-factors/factor.ts';
import { openSession, type OpenedSession, type Visitor } from '../sessions/actions.ts';
import type { User } from '../user.ts';

export interface Proof {
  readonly user: User;
  readonly methods: readonly Method[];
  /** Whether it already counts as two factors: a verified passkey, or a provider that vouches for one. */
  readonly isStrong: boolean;
  /** A local path to go to when signed in. */
  readonly next?: string | undefined;
}

export type Stage =
  | { readonly stage: 'done'; readonly opened: OpenedSession; readonly next: string | undefined }
  /** The browser keeps `token` in its sign-in cookie, and shows one of `methods` next. */
  | {
      readonly stage: 'factor';
      readonly token: string;
      readonly methods: readonly FactorKind[];
    }
  /** The organization asks for a second factor, and this person has none. */
  | { readonly stage: 'enrol'; readonly token: string };

export async function takeProof(ctx: Context, visitor: Visitor, proof: Proof): Promise<Stage> {
  const { user, methods, next } = proof;
  const opened = await openSession(ctx, user, visitor, { methods, isFresh: true });
  return { stage: 'done', opened, next };
}
