// Loads the demo's world into an empty, migrated database, through the same actions as requests.
// The order is fixed, so every id is the same in every run; only secrets differ. The venue's past
// is drawn from a seed, so it is the same in every run too, except for the time at which it ends.
import { hashPassword } from '../../server/src/accounts/passwords/hash.ts';
import { ROLE } from '../../server/src/accounts/roles.ts';
import { createTradingKey } from '../../server/src/accounts/trading-keys/actions.ts';
import { createUser } from '../../server/src/accounts/users/actions.ts';
import type { Context } from '../../server/src/platform/context.ts';
import { randomAlphanumeric } from '../../server/src/platform/std/ids.ts';
import { defineCoin } from '../../server/src/trading/coins/actions.ts';
import type { Coin, Network } from '../../server/src/trading/coins/coin.ts';
import { depositSimulated } from '../../server/src/trading/custody/simulated.ts';
import { importHistory } from '../../server/src/trading/engine/import-history.ts';
import { accessOperator } from '../../server/src/accounts/operators/access.ts';
import { approveEnrolment, enrolOperator } from '../../server/src/accounts/operators/actions.ts';
import { requestAct } from '../../server/src/trading/operators/actions.ts';
import { createMarket, setPhase } from '../../server/src/trading/operators/acts.ts';
import { toMarketConfig } from '../../server/src/trading/operators/market-terms.ts';
import { writeUpPast } from './caught-up.ts';
import { loadChat } from './chat/load.ts';
import { CHAINS, type Chain } from './data/chains.ts';
import { COINS, type DemoCoin } from './data/coins.ts';
import { MARKETS, type DemoMarket } from './data/markets.ts';
import { CAST, EXTRAS, type CastName, type DemoPerson } from './data/people.ts';
import { drawHistory, HISTORY_MS } from './trade/history.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
  readonly user_id: number;
  readonly trading: { readonly api_key: string; readonly secret_key: string };
}

export type WorldUsers = Readonly<Record<CastName, Credentials>>;

export interface World {
  readonly users: WorldUsers;
  /** The operators' secrets, by email address. */
  readonly operators: Readonly<Record<string, string>>;
}

/** What is listed, and where its money comes from. */
export interface Venue {
  readonly coins: readonly Coin[];
  readonly markets: readonly DemoMarket[];
  /** What each trader begins with, in whole coins, out of nothing; with it goes a week of trading. */
  readonly funds: Readonly<Record<string, number>> | undefined;
}

const CAST_NAMES = Object.keys(CAST) as CastName[];
/** The ledger counts in units of 10^-18 of a coin. */
const UNITS_PER_COIN = 10n ** 18n;
const PASSWORD_LENGTH = 16;
const HISTORY_SEED = 20_261;
/** Market makers have this many times what a trader has. */
const DESK_TIMES = 50n;

/** Every market of the demo, with money that is simulated. */
export function simulatedVenue(): Venue {
  const traded = new Set(MARKETS.flatMap(({ base, quote }) => [base, quote]));
  const funds = COINS.filter(({ symbol }) => traded.has(symbol)).map(
    ({ symbol, traderFunds }) => [symbol, traderFunds] as const,
  );
  return { coins: COINS.map(toCoin), markets: MARKETS, funds: Object.fromEntries(funds) };
}

export async function loadWorld(ctx: Context, venue = simulatedVenue()): Promise<World> {
  // A hash costs about 50 ms and runs in the background, two at a time.
  const secrets = CAST_NAMES.map(() => {
    const password = randomAlphanumeric(PASSWORD_LENGTH);
    return { password, hash: hashPassword(password) };
  });
  const users: Partial<Record<CastName, Credentials>> = {};
  const funded: Funded[] = [];
  const desk = { makers: [] as number[], takers: [] as number[], patient: [] as number[] };
  const owner = await makePerson(ctx, CAST.owner);
  for (const [index, name] of CAST_NAMES.entries()) {
    const made = name === 'owner' ? owner : await makePerson(ctx, CAST[name], owner.id);
    const key = await createTradingKey(ctx, {
      userId: made.id,
      permissions: ['read', 'trade', 'transfer'],
      label: 'demo',
    });
    if (isFunded(CAST[name])) funded.push({ accountId: key.accountId, times: 1n });
    if (name === 'trader_b') desk.patient.push(Number(key.accountId));
    users[name] = {
      email: CAST[name].email,
      password: secrets[index]?.password ?? '',
      api_key: made.chatKey,
      user_id: made.id,
      trading: { api_key: key.keyId, secret_key: key.secret },
    };
  }
  for (const extra of EXTRAS) {
    const { id } = await makePerson(ctx, extra);
    if (extra.desk === undefined) continue;
    const { accountId } = await createTradingKey(ctx, { userId: id, permissions: ['read'] });
    desk[`${extra.desk}s`].push(Number(accountId));
    funded.push({ accountId, times: DESK_TIMES });
  }
  const complete = users as WorldUsers;
  await Promise.all(
    CAST_NAMES.map(async (name, index) => {
      const passwordHash = (await secrets[index]?.hash) ?? null;
      const { user_id } = complete[name];
      await ctx.db.updateTable('users').set({ passwordHash }).where('id', '=', user_id).execute();
    }),
  );
  const operators = await enrolOperators(ctx);
  await loadChat(ctx);
  await openVenue(ctx, CAST.owner.email, venue, funded);
  const endMs = Math.floor(ctx.clock.now());
  const hasPast = venue.funds !== undefined;
  await importHistory(ctx, {
    startMs: hasPast ? endMs - HISTORY_MS : endMs,
    commands: hasPast ? drawHistory(HISTORY_SEED, endMs, desk) : [],
  });
  await writeUpPast(ctx);
  return { users: complete, operators };
}

/** The owner, and the administrator, whose secret the owner approves. */
async function enrolOperators(ctx: Context): Promise<World['operators']> {
  const host = { email: 'host: demo', via: 'demo' };
  const [first, second] = [CAST.owner.email, CAST.admin.email];
  const { secret } = await enrolOperator(ctx, host, first);
  const asked = await enrolOperator(ctx, host, second);
  const owner = await accessOperator(ctx.db, first, host.via);
  await approveEnrolment(ctx, owner, second, asked.fingerprint);
  return { [first]: secret, [second]: asked.secret };
}

interface Funded {
  readonly accountId: bigint;
  /** This many times the coin's usual funds of a trader. */
  readonly times: bigint;
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

/** Coins, markets and money, by the commands of operators and of the simulated network. */
async function openVenue(
  ctx: Context,
  email: string,
  { coins, markets, funds }: Venue,
  funded: readonly Funded[],
): Promise<void> {
  const operator = await accessOperator(ctx.db, email, 'demo');
  for (const coin of coins) await defineCoin(ctx, operator, coin);
  for (const { phase, ...terms } of markets) {
    await requestAct(ctx, operator, createMarket(toMarketConfig(terms)));
    if (phase !== 'pre_open') await requestAct(ctx, operator, setPhase(terms.symbol, phase));
  }
  if (funds === undefined) return;
  await depositSimulated(
    ctx,
    funded.flatMap(({ accountId, times }) =>
      Object.entries(funds).map(([coin, traderFunds]) => ({
        to: Number(accountId),
        coin,
        amount: BigInt(traderFunds) * UNITS_PER_COIN * times,
      })),
    ),
  );
}

export function toCoin({ symbol, nameEn, nameFa, networks }: DemoCoin): Coin {
  const rows = networks.map((network, index): [string, Network] => {
    const chain: Chain = CHAINS[network.chain];
    const contract = network.token?.contract ?? '';
    return [
      network.chain,
      {
        NetworkSymbol: network.chain,
        NetworkNameEn: chain.nameEn,
        NetworkNameFa: chain.nameFa,
        isDefault: index === 0,
        tokenNameOnNetwork: network.token?.name ?? '',
        tokenSymbolOnNetwork: network.token?.symbol ?? chain.nativeSymbol,
        addressUrl: chain.addressUrl,
        contractAddressUrl:
          contract === '' ? '' : (chain.contractUrl ?? '').replace('{contract}', contract),
        transactionUrl: chain.transactionUrl,
        contractAddress: contract,
        memoRequired: chain.memoRegex !== undefined,
        memoRegex: chain.memoRegex ?? '',
        addressRegex: chain.addressRegex,
        tokenDecimal: String(network.decimals),
        depositFee: '0',
        withdrawFee: network.withdrawFee,
        depositStatus: 'active',
        withdrawStatus: network.withdrawStatus ?? 'active',
        minimumDeposit: network.minimumDeposit,
        minimumWithdraw: network.minimumWithdraw,
        DepositConfirmationCount: String(chain.confirmations),
        withdrawPrecision: String(network.withdrawPrecision),
      },
    ];
  });
  return { symbol, nameEn, nameFa, networks: Object.fromEntries(rows) };
}
