// Loads the demo's world into an empty, migrated database: through the actions where there are any,
// by plain rows where there are none yet. Everything is inserted in a fixed order, so that every id is
// the same in every run; only secrets differ.
import { hashPassword } from '../../server/src/accounts/passwords/hash.ts';
import { ROLE } from '../../server/src/accounts/roles.ts';
import { createTradingKey } from '../../server/src/accounts/trading-keys/actions.ts';
import { createUser } from '../../server/src/accounts/users/actions.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { randomAlphanumeric } from '../../server/src/platform/std/ids.ts';
import { CHAINS, type Chain } from './data/chains.ts';
import { CHANNELS, DRAFTS, type DemoDraft } from './data/channels.ts';
import { COINS } from './data/coins.ts';
import { MARKETS } from './data/markets.ts';
import { CAST, EXTRAS, type CastName, type DemoPerson } from './data/people.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
  readonly user_id: number;
  readonly trading: { readonly api_key: string; readonly secret_key: string };
}

export type WorldUsers = Readonly<Record<CastName, Credentials>>;

const CAST_NAMES = Object.keys(CAST) as CastName[];
/** The ledger counts in units of 10^-18 of a coin. */
const UNITS_PER_COIN = 10n ** 18n;
const PASSWORD_LENGTH = 16;

export async function loadWorld(ctx: Context): Promise<WorldUsers> {
  // A hash costs about 50 ms and runs beside everything else, two at a time.
  const secrets = CAST_NAMES.map(() => {
    const password = randomAlphanumeric(PASSWORD_LENGTH);
    return { password, hash: hashPassword(password) };
  });
  await insertCoins(ctx);
  await insertMarkets(ctx);
  const users: Partial<Record<CastName, Credentials>> = {};
  const owner = await makePerson(ctx, CAST.owner);
  for (const [index, name] of CAST_NAMES.entries()) {
    const made = name === 'owner' ? owner : await makePerson(ctx, CAST[name], owner.id);
    const key = await createTradingKey(ctx, {
      userId: made.id,
      permissions: ['read', 'trade'],
      label: 'demo',
    });
    if (isFunded(CAST[name])) await fund(ctx, key.accountId);
    users[name] = {
      email: CAST[name].email,
      password: secrets[index]?.password ?? '',
      api_key: made.chatKey,
      user_id: made.id,
      trading: { api_key: key.keyId, secret_key: key.secret },
    };
  }
  const extras: number[] = [];
  for (const extra of EXTRAS) extras.push((await makePerson(ctx, extra)).id);
  const complete = users as WorldUsers;
  await insertChannels(ctx, complete, extras);
  await Promise.all(
    CAST_NAMES.map(async (name, index) => {
      const passwordHash = (await secrets[index]?.hash) ?? null;
      const { user_id } = complete[name];
      await ctx.db.updateTable('users').set({ passwordHash }).where('id', '=', user_id).execute();
    }),
  );
  return complete;
}

const isFunded = (person: DemoPerson): boolean => person.isFunded === true;

/** Without a password: it is hashed meanwhile, and stored at the end. */
async function makePerson(
  ctx: Context,
  person: DemoPerson,
  ownerId?: number,
): Promise<{ id: number; chatKey: string }> {
  const { user, chatKey } = await createUser(ctx, {
    email: person.email,
    fullName: person.name,
    role: ROLE[person.role],
    timezone: person.timezone,
    ...(person.isBot === true && ownerId !== undefined ? { botType: 1, botOwnerId: ownerId } : {}),
  });
  return { id: user.id, chatKey };
}

async function insertCoins(ctx: Context): Promise<void> {
  await ctx.db
    .insertInto('coins')
    .values(COINS.map(({ symbol, nameEn, nameFa }) => ({ symbol, nameEn, nameFa })))
    .execute();
  await ctx.db.insertInto('coinNetworks').values(COINS.flatMap(networkRows)).execute();
}

export function networkRows({ symbol, networks }: (typeof COINS)[number]) {
  return networks.map((network, index) => {
    const chain: Chain = CHAINS[network.chain];
    const contract = network.token?.contract ?? '';
    return {
      coin: symbol,
      network: network.chain,
      networkNameEn: chain.nameEn,
      networkNameFa: chain.nameFa,
      isDefault: index === 0,
      tokenName: network.token?.name ?? '',
      tokenSymbol: network.token?.symbol ?? chain.nativeSymbol,
      addressUrl: chain.addressUrl,
      contractAddressUrl:
        contract === '' ? '' : (chain.contractUrl ?? '').replace('{contract}', contract),
      transactionUrl: chain.transactionUrl,
      contractAddress: contract,
      memoRequired: chain.memoRegex !== undefined,
      memoRegex: chain.memoRegex ?? '',
      addressRegex: chain.addressRegex,
      tokenDecimal: network.decimals,
      withdrawFee: network.withdrawFee,
      withdrawStatus: network.withdrawStatus ?? 'active',
      minimumDeposit: network.minimumDeposit,
      minimumWithdraw: network.minimumWithdraw,
      depositConfirmations: chain.confirmations,
      withdrawPrecision: network.withdrawPrecision,
    };
  });
}

async function insertMarkets(ctx: Context): Promise<void> {
  const rows = MARKETS.map((market) => ({ ...market, symbol: `${market.base}${market.quote}` }));
  await ctx.db.insertInto('markets').values(rows).execute();
}

/** Money from nowhere, as long as there is no engine whose journal could hold the deposit. */
async function fund(ctx: Context, accountId: bigint): Promise<void> {
  const traded = new Set(MARKETS.flatMap(({ base, quote }) => [base, quote]));
  const rows = COINS.filter(({ symbol }) => traded.has(symbol)).map(({ symbol, traderFunds }) => ({
    accountId,
    coin: symbol,
    available: String(BigInt(traderFunds) * UNITS_PER_COIN),
  }));
  await ctx.db.insertInto('balances').values(rows).execute();
}

async function insertChannels(
  ctx: Context,
  users: WorldUsers,
  extras: readonly number[],
): Promise<void> {
  const channels = await ctx.db
    .insertInto('channels')
    .values(
      CHANNELS.map(({ name, description, isPrivate }) => ({
        name,
        description,
        inviteOnly: isPrivate ?? false,
        historyPublicToSubscribers: true,
        creatorId: users.owner.user_id,
      })),
    )
    .returning(['id', 'name'])
    .execute();
  const idOf = new Map(channels.map(({ id, name }) => [name, id]));
  const people = CAST_NAMES.filter((name) => CAST[name].role !== 'guest');
  const subscriptions = CHANNELS.flatMap(({ name, color, members }) => {
    const cast = (members === 'everyone' ? people : members).map((one) => users[one].user_id);
    const all = members === 'everyone' ? [...cast, ...extras] : cast;
    return all.map((userId) => ({ userId, channelId: idOf.get(name) ?? 0, color }));
  });
  await ctx.db.insertInto('subscriptions').values(subscriptions).execute();
  const editedAt = new Date(ctx.clock.now());
  await ctx.db
    .insertInto('drafts')
    .values(DRAFTS.map((draft) => ({ ...draftRow(draft, users, idOf), editedAt })))
    .execute();
}

function draftRow(
  { author, to, content }: DemoDraft,
  users: WorldUsers,
  channelId: ReadonlyMap<string, number>,
) {
  const address =
    'channel' in to
      ? { type: 'stream', to: [channelId.get(to.channel) ?? 0], topic: to.topic }
      : { type: 'private', to: [users[to.person].user_id], topic: '' };
  return { userId: users[author].user_id, content, ...address };
}
