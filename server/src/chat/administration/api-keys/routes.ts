// Routes of chat keys besides the main one: a person's own, and those of the bots that they keep. Only for browsers that
// have proved who is there.
import { Type, type Static, type TSchema } from 'typebox';
import {
  changeKey,
  listChatKeys,
  makeOwnKey,
  removeKey,
  rotateKey,
  type ChatKeyRow,
  type ChatKeyTerms,
  type MadeKey,
} from '../../../accounts/chat-keys/manage.ts';
import {
  APP_KEYS_MAX,
  KEY_ADDRESSES_MAX,
  KEY_CHANNELS_MAX,
  LABEL_CHARACTERS_MAX,
  OWN_KEYS_MAX,
} from '../../../accounts/chat-keys/terms.ts';
import type { User } from '../../../accounts/user.ts';
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import { accessActing, accessBotToKeep } from '../../../accounts/users/authority.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { DAY_SECONDS } from '../../../platform/std/time.ts';
import { chatRoute } from '../../http/route.ts';

const OVERLAP_SECONDS_MAX = 7 * DAY_SECONDS;

const right = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);
const orNull = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);

const TERMS = {
  label: Type.String({ maxLength: LABEL_CHARACTERS_MAX }),
  can: Type.Array(right, { maxItems: 3, description: 'read, write, admin' }),
  channel_ids: orNull(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: KEY_CHANNELS_MAX,
      description: 'The channels that it is for; null for all.',
    }),
  ),
  direct: Type.Boolean({ description: 'Whether it is for direct messages too.' }),
  addresses: orNull(
    Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: KEY_ADDRESSES_MAX,
      description: 'The addresses and networks from where it works; null for all.',
    }),
  ),
  expires_at: orNull(Type.Integer({ minimum: 0, description: 'Seconds; null for never.' })),
};

const NewTerms = Type.Object({
  label: TERMS.label,
  can: Type.Optional(TERMS.can),
  channel_ids: Type.Optional(TERMS.channel_ids),
  direct: Type.Optional(TERMS.direct),
  addresses: Type.Optional(TERMS.addresses),
  expires_at: Type.Optional(TERMS.expires_at),
});
const Changes = Type.Partial(Type.Object(TERMS));
const Rotation = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS_MAX,
      default: DAY_SECONDS,
      description: 'How long the old key still works.',
    }),
  ),
});

const Listed = Type.Object({
  id: Type.Integer(),
  kind: Type.Union([Type.Literal('app'), Type.Literal('own')]),
  ...TERMS,
  created_at: Type.Integer(),
  last_used_at: orNull(Type.Integer()),
  replaced_by: orNull(Type.Integer()),
});
const List = Type.Object({
  api_keys: Type.Array(Listed, { maxItems: 2 * OWN_KEYS_MAX + APP_KEYS_MAX }),
});
const Made = Type.Object({
  id: Type.Integer(),
  api_key: Type.String({ description: 'Shown this once.' }),
});

const seconds = (at: Date | null): number | null => at && Math.floor(at.getTime() / 1000);
const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at * 1000));

const shown = (row: ChatKeyRow): Static<typeof Listed> => ({
  id: Number(row.id),
  kind: row.kind,
  label: row.label,
  can: [...row.can],
  channel_ids: row.channelIds && [...row.channelIds],
  direct: row.direct,
  addresses: row.addresses && [...row.addresses],
  created_at: Math.floor(row.createdAt.getTime() / 1000),
  expires_at: seconds(row.expiresAt),
  last_used_at: seconds(row.lastUsedAt),
  replaced_by: row.replacedBy === null ? null : Number(row.replacedBy),
});

const newTerms = (given: Static<typeof NewTerms>): ChatKeyTerms => ({
  label: given.label,
  can: given.can ?? ['read', 'write'],
  channelIds: given.channel_ids ?? null,
  // A key for some channels is for nothing else, unless that is said.
  direct: given.direct ?? (given.channel_ids ?? null) === null,
  addresses: given.addresses ?? null,
  expiresAt: dateOf(given.expires_at ?? null),
});

function changesIn(given: Static<typeof Changes>): Partial<ChatKeyTerms> {
  const { label, can, channel_ids, direct, addresses, expires_at } = given;
  return {
    ...(label !== undefined && { label }),
    ...(can !== undefined && { can }),
    ...(channel_ids !== undefined && { channelIds: channel_ids }),
    ...(direct !== undefined && { direct }),
    ...(addresses !== undefined && { addresses }),
    ...(expires_at !== undefined && { expiresAt: dateOf(expires_at) }),
  };
}

/** Locks the person, or the bot if the actor keeps it. */
const accessOwner = async (tx: Tx, actor: User, botId?: number): Promise<User> =>
  botId === undefined
    ? accessUserForUpdate(tx, actor.id)
    : accessBotToKeep(tx, await accessActing(tx, actor), botId);

const list = (ctx: ApiContext, actor: User, botId?: number) =>
  ctx.inTransaction(async (tx) => {
    const owner = await accessOwner(tx, actor, botId);
    return { api_keys: (await listChatKeys(tx, owner.id)).map(shown) };
  });

const toMade = ({ id, key }: MadeKey) => ({ id: Number(id), api_key: key });

const make = (ctx: ApiContext, actor: User, given: Static<typeof NewTerms>, botId?: number) =>
  ctx.inTransaction(async (tx) =>
    toMade(await makeOwnKey(ctx, tx, await accessOwner(tx, actor, botId), newTerms(given))),
  );

const change = (
  ctx: ApiContext,
  actor: User,
  keyId: number,
  given: Static<typeof Changes>,
  botId?: number,
) =>
  ctx.inTransaction(async (tx) => {
    const owner = await accessOwner(tx, actor, botId);
    await changeKey(ctx, tx, owner, BigInt(keyId), changesIn(given));
    return {};
  });

const remove = (ctx: ApiContext, actor: User, keyId: number, botId?: number) =>
  ctx.inTransaction(async (tx) => {
    await removeKey(tx, await accessOwner(tx, actor, botId), BigInt(keyId));
    return {};
  });

const rotate = (
  ctx: ApiContext,
  actor: User,
  keyId: number,
  { overlap_seconds = DAY_SECONDS }: Static<typeof Rotation>,
  botId?: number,
) =>
  ctx.inTransaction(async (tx) => {
    const owner = await accessOwner(tx, actor, botId);
    return toMade(await rotateKey(ctx, tx, owner, BigInt(keyId), overlap_seconds));
  });

const OWN = { allow: 'guest', bots: false, stepUp: 'fresh' } as const;
const BOTS = { allow: 'member', bots: false, stepUp: 'fresh' } as const;

export const getApiKeys = chatRoute({
  name: 'get-api-keys',
  method: 'GET',
  path: '/api_keys',
  allow: 'guest',
  bots: false,
  summary: 'Your keys besides the main one, without the keys themselves.',
  params: Type.Object({}),
  returns: List,
  handle: (ctx, actor) => list(ctx, actor),
});

export const postApiKey = chatRoute({
  ...OWN,
  name: 'create-api-key',
  method: 'POST',
  path: '/api_keys',
  audit: ['chat_key create'],
  summary: 'Makes a key for a program of yours.',
  params: NewTerms,
  returns: Made,
  handle: (ctx, actor, given) => make(ctx, actor, given),
});

export const patchApiKey = chatRoute({
  ...OWN,
  name: 'update-api-key',
  method: 'PATCH',
  path: '/api_keys/{key_id:int}',
  audit: ['chat_key update'],
  summary: 'Changes the terms of a key.',
  params: Changes,
  returns: Type.Object({}),
  handle: (ctx, actor, { key_id, ...given }) => change(ctx, actor, key_id, given),
});

export const deleteApiKey = chatRoute({
  ...OWN,
  name: 'delete-api-key',
  method: 'DELETE',
  path: '/api_keys/{key_id:int}',
  audit: ['chat_key delete'],
  summary: 'Deletes a key: it stops working at once.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: (ctx, actor, { key_id }) => remove(ctx, actor, key_id),
});

export const postRotateApiKey = chatRoute({
  ...OWN,
  name: 'rotate-api-key',
  method: 'POST',
  path: '/api_keys/{key_id:int}/rotate',
  audit: ['chat_key rotate'],
  summary: 'Makes a successor with the same terms; the old key ends after the overlap.',
  params: Rotation,
  returns: Made,
  handle: (ctx, actor, { key_id, ...given }) => rotate(ctx, actor, key_id, given),
});

export const getBotApiKeys = chatRoute({
  name: 'get-bot-api-keys',
  method: 'GET',
  path: '/bots/{bot_id:int}/api_keys',
  allow: 'member',
  bots: false,
  summary: 'The keys of a bot besides its main one, without the keys themselves.',
  params: Type.Object({}),
  returns: List,
  handle: (ctx, actor, { bot_id }) => list(ctx, actor, bot_id),
});

export const postBotApiKey = chatRoute({
  ...BOTS,
  name: 'create-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id:int}/api_keys',
  audit: ['chat_key create'],
  summary: 'Makes a key for a bot that you keep.',
  params: NewTerms,
  returns: Made,
  handle: (ctx, actor, { bot_id, ...given }) => make(ctx, actor, given, bot_id),
});

export const patchBotApiKey = chatRoute({
  ...BOTS,
  name: 'update-bot-api-key',
  method: 'PATCH',
  path: '/bots/{bot_id:int}/api_keys/{key_id:int}',
  audit: ['chat_key update'],
  summary: 'Changes the terms of a bot’s key.',
  params: Changes,
  returns: Type.Object({}),
  handle: (ctx, actor, { bot_id, key_id, ...given }) => change(ctx, actor, key_id, given, bot_id),
});

export const deleteBotApiKey = chatRoute({
  ...BOTS,
  name: 'delete-bot-api-key',
  method: 'DELETE',
  path: '/bots/{bot_id:int}/api_keys/{key_id:int}',
  audit: ['chat_key delete'],
  summary: 'Deletes a bot’s key: it stops working at once.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: (ctx, actor, { bot_id, key_id }) => remove(ctx, actor, key_id, bot_id),
});

export const postRotateBotApiKey = chatRoute({
  ...BOTS,
  name: 'rotate-bot-api-key',
  method: 'POST',
  path: '/bots/{bot_id:int}/api_keys/{key_id:int}/rotate',
  audit: ['chat_key rotate'],
  summary: 'Makes a successor of a bot’s key with the same terms.',
  params: Rotation,
  returns: Made,
  handle: (ctx, actor, { bot_id, key_id, ...given }) => rotate(ctx, actor, key_id, given, bot_id),
});
