// Trading keys of their owner. Only a session makes and changes them; a key can do no more than delete itself.
import { Type } from 'typebox';
import { deleteTradingKey } from '../../accounts/trading-keys/actions.ts';
import { noSuchKey } from '../../accounts/trading-keys/errors.ts';
import {
  createOwnKey,
  listOwnKeys,
  OVERLAP_DEFAULT_MS,
  rotateOwnKey,
  updateOwnKey,
  type KeyOwner,
} from '../../accounts/trading-keys/own-keys.ts';
import type { TradingContext } from '../context.ts';
import type { SessionCaller } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { tradingRoute } from '../http/route.ts';
import { accessMarket } from '../markets/access.ts';
import { AccountId } from '../sub-accounts/shapes.ts';
import {
  ApiKey,
  ExpireTime,
  IpAllowlist,
  KeyId,
  KeyLabel,
  KeyMarkets,
  KeyTypeChoice,
  NewApiKey,
  Permissions,
  PublicKey,
  toApiKey,
} from './shapes.ts';

const ownerOf = ({ session, address }: SessionCaller): KeyOwner => ({
  user: session.user,
  address,
});

const BoundSignature = Type.Boolean({
  description: 'Whether only signatures of version 2 are taken, which cover method and path.',
});

export const postApiKey = tradingRoute({
  name: 'privateApiKeyCreate',
  method: 'POST',
  path: '/private/api_key/create',
  access: 'session',
  stepUp: 'each',
  audit: ['trading_key create'],
  summary:
    'Makes a key for one of your accounts, and shows its secret once. An account has at most 30 keys.',
  params: Type.Object({
    label: Type.Optional(KeyLabel),
    type: Type.Optional(KeyTypeChoice),
    publicKey: Type.Optional(PublicKey),
    permissions: Permissions,
    ipAllowlist: Type.Optional(IpAllowlist),
    markets: Type.Optional(KeyMarkets),
    expireTime: Type.Optional(ExpireTime),
    requireBoundSignature: Type.Optional(BoundSignature),
    accountId: Type.Optional(AccountId),
  }),
  returns: NewApiKey,
  errors: ['KEY_LIMIT', 'PARAMETER_CONFLICT', 'SUB_ACCOUNT_UNKNOWN', 'UNKNOWN_SYMBOL'],
  async handle(ctx, caller, given) {
    const { label = '', type = 'hmac', ipAllowlist = [], markets = [], accountId } = given;
    await checkMarkets(ctx, markets);
    const { key, secret } = await createOwnKey(ctx, ownerOf(caller), {
      label,
      type,
      publicKey: given.publicKey,
      permissions: given.permissions,
      ipAllowlist,
      markets,
      requireBoundSignature: given.requireBoundSignature ?? false,
      expiresAt: timeOf(given.expireTime),
      accountId: accountId === undefined ? undefined : BigInt(accountId),
    });
    return { ...toApiKey(key), secret };
  },
});

export const getApiKeys = tradingRoute({
  name: 'privateApiKeyList',
  method: 'GET',
  path: '/private/api_key/list',
  access: 'session',
  whileSuspended: true,
  summary: 'The keys of all your accounts, oldest first, without their secrets.',
  params: Type.Object({}),
  returns: Type.Array(ApiKey),
  async handle(ctx, { session }) {
    return (await listOwnKeys(ctx, session.user)).map(toApiKey);
  },
});

export const postApiKeyUpdate = tradingRoute({
  name: 'privateApiKeyUpdate',
  method: 'POST',
  path: '/private/api_key/update',
  access: 'session',
  stepUp: 'each',
  audit: ['trading_key update'],
  summary: 'Changes the terms of a key; what is absent stays. A later `expireTime` renews it.',
  params: Type.Object({
    keyId: KeyId,
    label: Type.Optional(KeyLabel),
    permissions: Type.Optional(Permissions),
    ipAllowlist: Type.Optional(IpAllowlist),
    markets: Type.Optional(KeyMarkets),
    expireTime: Type.Optional(ExpireTime),
    requireBoundSignature: Type.Optional(BoundSignature),
    isEnabled: Type.Optional(
      Type.Boolean({ description: 'A disabled key is refused like an unknown one.' }),
    ),
  }),
  returns: ApiKey,
  errors: ['KEY_UNKNOWN', 'PARAMETER_CONFLICT', 'UNKNOWN_SYMBOL'],
  async handle(ctx, caller, { keyId, expireTime, ...changes }) {
    await checkMarkets(ctx, changes.markets ?? []);
    const asked = { ...changes, expiresAt: timeOf(expireTime) };
    return toApiKey(await updateOwnKey(ctx, ownerOf(caller), keyId, asked));
  },
});

export const postApiKeyRotation = tradingRoute({
  name: 'privateApiKeyRotate',
  method: 'POST',
  path: '/private/api_key/rotate',
  access: 'session',
  stepUp: 'each',
  audit: ['trading_key rotate'],
  summary:
    'Makes a key with the same terms, and ends the old one after an overlap in which both work. The new secret is shown once. One rotation at a time.',
  params: Type.Object({
    keyId: KeyId,
    overlapMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800_000,
        description: 'How long the old key still works; a day when absent.',
        examples: ['86400000'],
      }),
    ),
    publicKey: Type.Optional(PublicKey),
  }),
  returns: NewApiKey,
  errors: ['KEY_UNKNOWN', 'KEY_LIMIT', 'PARAMETER_CONFLICT', 'PARAMETER_MISSING'],
  async handle(ctx, caller, { keyId, overlapMs = OVERLAP_DEFAULT_MS, publicKey }) {
    const asked = { overlapMs, publicKey };
    const { key, secret } = await rotateOwnKey(ctx, ownerOf(caller), keyId, asked);
    return { ...toApiKey(key), secret };
  },
});

export const deleteApiKey = tradingRoute({
  name: 'privateApiKeyDelete',
  method: 'DELETE',
  path: '/private/api_key/delete',
  access: 'key',
  audit: ['trading_key delete'],
  whileSuspended: true,
  summary:
    'Deletes a key, at once and for good. A key deletes only itself: for one that may have leaked. A session deletes any key of its owner.',
  params: Type.Object({ keyId: KeyId }),
  returns: Type.Object(
    { keyId: Type.String({ description: 'The key that is gone.' }) },
    { title: 'DeletedKey' },
  ),
  errors: ['SESSION_REQUIRED', 'KEY_UNKNOWN'],
  async handle(ctx, caller, { keyId }) {
    const { session } = caller;
    if (session === undefined && keyId !== caller.keyId) {
      throw refuse('SESSION_REQUIRED', 'A key deletes only itself. Sign with the key to delete.', {
        parameter: 'keyId',
      });
    }
    const isDeleted = await deleteTradingKey(ctx, keyId, session?.user.id);
    if (session !== undefined && !isDeleted) throw noSuchKey();
    return { keyId };
  },
});

async function checkMarkets(ctx: TradingContext, symbols: readonly string[]): Promise<void> {
  for (const symbol of symbols) await accessMarket(ctx, symbol);
}

const timeOf = (millis: string | undefined): Date | undefined =>
  millis === undefined ? undefined : new Date(Number(millis));
