// A person's second factors, for their browser. A key cannot change them: a thief who has it would keep the account.
import { Type } from 'typebox';
import { findFactors, listPasskeys } from '../../../accounts/second-factors/access.ts';
import {
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
} from '../../../accounts/second-factors/actions.ts';
import { readFactorDue } from '../../../accounts/second-factors/policy.ts';
import { qrSvg } from '../../../accounts/second-factors/qr.ts';
import { RECOVERY_CODES } from '../../../accounts/second-factors/recovery-codes.ts';
import { chatRoute } from '../../http/route.ts';
import { renewChatKeyIn } from '../keys/actions.ts';

const RecoveryCodes = Type.Array(Type.String(), {
  maxItems: RECOVERY_CODES,
  description: 'Ten codes, shown this once. Each replaces a lost factor in one sign-in.',
});

export const getSecondFactors = chatRoute({
  name: 'get-second-factors',
  method: 'GET',
  path: '/second_factors',
  allow: 'guest',
  bots: false,
  grows: 'person',
  summary: 'Which second factors you have, and whether your organization asks for one.',
  params: Type.Object({}),
  returns: Type.Object({
    totp: Type.Boolean(),
    passkeys: Type.Array(
      Type.Object({
        id: Type.Integer(),
        label: Type.String(),
        alone: Type.Boolean({ description: 'Whether it opens the account without a password.' }),
        synced: Type.Boolean({ description: 'Whether its maker copies it to other devices.' }),
        last_used_at: Type.Union([Type.Integer(), Type.Null()]),
        suspected: Type.Boolean({
          description: 'It may have been copied, and opens nothing until you decide.',
        }),
      }),
    ),
    recovery_codes_left: Type.Integer(),
    required: Type.Boolean(),
    due_at: Type.Union([Type.Integer(), Type.Null()], {
      description: 'From when you cannot sign in without one, in seconds; null if you can.',
    }),
  }),
  handle: async ({ db }, actor) => {
    const { totp, recoveryCodes } = await findFactors(db, actor.id);
    const { isRequired, dueAt } = await readFactorDue(db, actor);
    const passkeys = await listPasskeys(db, actor.id);
    return {
      totp,
      passkeys: passkeys.map((one) => ({
        id: Number(one.id),
        label: one.label,
        alone: one.alone,
        synced: one.backedUp,
        last_used_at: secondsOf(one.lastUsedAt),
        suspected: one.suspectedAt !== null,
      })),
      recovery_codes_left: recoveryCodes,
      required: isRequired,
      due_at: secondsOf(dueAt),
    };
  },
});

const secondsOf = (at: Date | null): number | null =>
  at === null ? null : Math.floor(at.getTime() / 1000);

export const postTotp = chatRoute({
  name: 'begin-totp',
  method: 'POST',
  path: '/second_factors/totp',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  // It becomes a factor, with an entry, when it is confirmed.
  audit: { none: 'nothing' },
  summary: 'Makes a secret for your authenticator app. It counts once you have confirmed a code.',
  params: Type.Object({}),
  returns: Type.Object({ secret: Type.String(), uri: Type.String(), qr_svg: Type.String() }),
  handle: async (ctx, actor) => {
    const { secret, uri } = await beginTotp(ctx, actor);
    return { secret, uri, qr_svg: qrSvg(uri) };
  },
});

export const postConfirmTotp = chatRoute({
  name: 'confirm-totp',
  method: 'POST',
  path: '/second_factors/totp/confirm',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  audit: ['factor add', 'chat_key regenerate'],
  summary:
    'Confirms your authenticator app. Your first factor replaces your main chat key, unless you keep it.',
  params: Type.Object({
    code: Type.String({ maxLength: 40 }),
    keep_key: Type.Optional(Type.Boolean({ default: false })),
  }),
  returns: Type.Object({ recovery_codes: RecoveryCodes }),
  handle: async (ctx, actor, { code, keep_key: keepsKey = false }, { caller, session }) => ({
    recovery_codes: await confirmTotp(ctx, actor, {
      code,
      address: caller,
      sessionId: session?.id,
      replaceKey: keepsKey ? undefined : (tx) => renewChatKeyIn(ctx, tx, actor),
    }),
  }),
});

export const deleteTotp = chatRoute({
  name: 'remove-totp',
  method: 'DELETE',
  path: '/second_factors/totp',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  audit: ['factor remove'],
  summary: 'Removes your authenticator app.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, _params, { caller }) => {
    await removeTotp(ctx, actor, caller);
    return {};
  },
});

export const postRecoveryCodes = chatRoute({
  name: 'renew-recovery-codes',
  method: 'POST',
  path: '/second_factors/recovery_codes',
  allow: 'guest',
  bots: false,
  stepUp: 'fresh',
  audit: ['factor recovery_codes'],
  summary: 'Gives you ten new recovery codes; the old ones stop working.',
  params: Type.Object({}),
  returns: Type.Object({ recovery_codes: RecoveryCodes }),
  handle: async (ctx, actor) => ({ recovery_codes: await renewRecoveryCodes(ctx, actor) }),
});
