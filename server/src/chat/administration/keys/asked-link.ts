// A link that somebody requests by an email address, without being signed in. The request always does and answers the
// same, so it does not reveal who has an account; requests beyond the limits are dropped silently. A job finds out
// whose address it is.
import { randomUUID } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { isEmail } from '../../../accounts/email.ts';
import { countEmail } from '../../../accounts/sign-in/actions.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { defineJob } from '../../../platform/jobs/define.ts';
import type { JobKind } from '../../../platform/jobs/kind.ts';
import { HOUR_MS } from '../../../platform/std/time.ts';

export const LINK_HOURS = 24;

export const linkEndsMs = ({ clock }: Pick<Context, 'clock'>): number =>
  clock.now() + LINK_HOURS * HOUR_MS;

const Asked = Type.Object({
  id: Type.String(),
  /** The sealed address: it may belong to somebody without an account here. */
  sealed: Type.String(),
  /** The origin of links: the worker has no request to take it from. */
  origin: Type.String(),
});

export interface LinkAsked {
  readonly email: string;
  readonly origin: string;
}

export function defineAskedLink(
  purpose: 'device' | 'password' | 'register',
  post: (tx: Tx, ctx: Context, asked: LinkAsked) => Promise<void>,
) {
  const kind = {
    name: `send-${purpose}-link`,
    input: Asked,
    attemptsMax: 10,
  } satisfies JobKind<Static<typeof Asked>>;
  const ownerOf = (id: string): string => `${purpose} link ${id}`;
  return {
    async ask(
      ctx: ApiContext,
      { email, caller }: { readonly email: string; readonly caller: string },
    ): Promise<void> {
      const to = email.trim();
      if (!isEmail(to)) return;
      await countEmail(ctx, { email: to, network: limitKeyOf(caller) }, async (tx) => {
        const id = randomUUID();
        const sealed = ctx.secrets.seal(ownerOf(id), to).toString('base64');
        await tx.enqueue(kind, { id, sealed, origin: ctx.publicUrl() }, { key: ownerOf(id) });
      });
    },
    job: defineJob({
      ...kind,
      async run(ctx, { id, sealed, origin }) {
        const email = ctx.secrets.open(ownerOf(id), Buffer.from(sealed, 'base64'));
        await ctx.inTransaction((tx) => post(tx, ctx, { email, origin }));
      },
    }),
  };
}
