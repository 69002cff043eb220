// What the page about security does with codes by time and with recovery codes.
import {
  beginTotp,
  confirmTotp,
  findTotpOffer,
  removeTotp,
  renewRecoveryCodes,
  type TotpOffer,
} from '../accounts/second-factors/actions.ts';
import { noTotpBegun } from '../accounts/second-factors/errors.ts';
import type { Session } from '../accounts/sessions/access.ts';
import { renewChatKeyIn } from '../chat/administration/keys/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import type { Refusal } from '../platform/http/refusal.ts';

/** What a change leaves to be shown, once. */
export interface Shown {
  readonly offer?: TotpOffer | undefined;
  readonly codes?: readonly string[];
  readonly done?: 'added' | 'removed' | 'renewed';
}

export async function changeTotp(
  ctx: ApiContext,
  { id, user }: Session,
  body: URLSearchParams,
  address: string,
): Promise<Shown> {
  switch (body.get('do')) {
    case 'begin':
      return { offer: await beginTotp(ctx, user) };
    case 'confirm': {
      const codes = await confirmTotp(ctx, user, {
        code: body.get('code') ?? '',
        address,
        sessionId: id,
        replaceKey:
          body.get('keep_key') === 'true' ? undefined : (tx) => renewChatKeyIn(ctx, tx, user),
      });
      return { codes, done: 'added' };
    }
    case 'remove':
      await removeTotp(ctx, user, address);
      return { done: 'removed' };
    case 'renew':
      return { codes: await renewRecoveryCodes(ctx, user), done: 'renewed' };
    default:
      throw noTotpBegun();
  }
}

/** The secret that was offered, to show it again after a wrong code. */
export const offerAgain = (
  ctx: ApiContext,
  { user }: Session,
  { code }: Refusal,
): Promise<TotpOffer | undefined> =>
  code === 'WRONG_FACTOR' ? findTotpOffer(ctx, user) : Promise.resolve(undefined);
