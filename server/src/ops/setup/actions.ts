// What a new installation gets besides its owner: a name, channels, a welcome and, if wanted, a market. Each is
// created by the action that a request or another command would use, and only where it is missing, so that a
// repeated setup does no harm and completes an interrupted one.
import { findUser } from '../../accounts/users/access.ts';
import type { Operator } from '../../accounts/operators/operator.ts';
import { createTradingKey } from '../../accounts/trading-keys/actions.ts';
import { listKeysOf } from '../../accounts/trading-keys/store.ts';
import type { User } from '../../accounts/user.ts';
import { findVisibleChannelByName } from '../../chat/conversations/channel/access.ts';
import { tellFirst } from '../../chat/messages/notices/actions.ts';
import { readOrganization } from '../../chat/organization/org/access.ts';
import { changeOrganization } from '../../chat/administration/organization/actions.ts';
import { createChannel } from '../../chat/channels/subscriptions/actions.ts';
import { originOf, type Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/std/language.ts';
import { listCoinDefinitions } from '../../trading/coins/access.ts';
import { defineCoin } from '../../trading/coins/actions.ts';
import { simulateDeposit } from '../../trading/custody/actions.ts';
import { getMarketConfig } from '../../trading/operators/access.ts';
import { awaitCommand, requestActs } from '../../trading/operators/actions.ts';
import { createMarket, setPhase } from '../../trading/operators/acts.ts';
import { describeCommand } from '../../trading/operators/explain.ts';
import { toMarketConfig, type MarketTerms } from '../../trading/operators/market-terms.ts';
import { CommandError } from '../trouble.ts';
import { KNOWN_COINS, simulatedFunds } from './first-market.ts';
import { SETUP_TEXTS } from './texts.ts';

export interface SetupChoices {
  /** Undefined: unchanged. */
  readonly organization?: string | undefined;
  /** Undefined: unchanged. */
  readonly language?: Language | undefined;
  readonly market?: MarketTerms | undefined;
  /** How long to wait for the engine to make the market. */
  readonly waitMs: number;
}

/** One line for each item. */
export type SetupReporter = (fields: Readonly<Record<string, string>>) => void;

export async function furnish(
  ctx: Context,
  operator: Operator,
  wishes: SetupChoices,
  report: SetupReporter,
): Promise<void> {
  const actor = await findUser(ctx.db, operator.id);
  if (actor === undefined) throw new CommandError(`${operator.email} has no account any more.`);
  report({ sign_in: `${originOf(ctx)}/login/` });
  await nameOrganization(ctx, actor, wishes, report);
  await openChannels(ctx, actor, report);
  if (wishes.market !== undefined) {
    await openMarket(ctx, operator, wishes.market, wishes.waitMs, report);
  }
}

async function nameOrganization(
  ctx: Context,
  actor: User,
  { organization, language }: SetupChoices,
  report: SetupReporter,
): Promise<void> {
  const settings = {
    ...(organization !== undefined && { name: organization }),
    ...(language !== undefined && { default_language: language }),
  };
  await changeOrganization(ctx, actor, { settings, permissions: {} });
  const { name } = (await readOrganization(ctx.db, ctx.config)).settings;
  report({ organization: String(name) });
}

async function openChannels(ctx: Context, actor: User, report: SetupReporter): Promise<void> {
  const { settings } = await readOrganization(ctx.db, ctx.config);
  const texts = SETUP_TEXTS[settings['default_language'] === 'fa' ? 'fa' : 'en'];
  const channels: { id: number; name: string }[] = [];
  for (const { name, description } of texts.channels) {
    const known = await findVisibleChannelByName(ctx.db, actor, name);
    const id =
      known?.id ??
      (await createChannel(ctx, actor, name, [actor.id], { description, is_default_stream: true }));
    channels.push({ id, name });
    report({
      [`channel ${name}`]: known === undefined ? 'made, for everybody who joins' : 'is there',
    });
  }
  const [first] = channels;
  if (first === undefined) return;
  if (settings['new_stream_announcements_stream_id'] === -1) {
    const announced = { new_stream_announcements_stream_id: first.id };
    await changeOrganization(ctx, actor, { settings: announced, permissions: {} });
  }
  const isTold = await ctx.inTransaction((tx) =>
    tellFirst(tx, ctx, {
      channelId: first.id,
      topic: texts.welcomeTopic,
      content: texts.welcome(String(settings['name'])),
      channels,
    }),
  );
  report({ welcome: isTold ? `in ${first.name}, topic ${texts.welcomeTopic}` : 'is there' });
}

async function openMarket(
  ctx: Context,
  operator: Operator,
  terms: MarketTerms,
  waitMs: number,
  report: SetupReporter,
): Promise<void> {
  const isSimulated = ctx.config.MONEY === 'simulated';
  report({
    money: isSimulated
      ? 'SIMULATED (MONEY=simulated): no coin here is worth anything'
      : 'REAL (MONEY=real): for a trial use another database with MONEY=simulated',
  });
  const symbol = terms.base + terms.quote;
  if (await hasMarket(ctx, symbol)) {
    report({ [`market ${symbol}`]: 'is there' });
    return;
  }
  const defined = new Set((await listCoinDefinitions(ctx.db)).map((coin) => coin.symbol));
  for (const coin of [terms.base, terms.quote]) {
    const names = KNOWN_COINS[coin];
    if (names === undefined || defined.has(coin)) continue;
    const { nameEn, nameFa } = names;
    await defineCoin(ctx, operator, { symbol: coin, nameEn, nameFa, networks: {} });
  }
  const ids = await requestActs(ctx, operator, [
    createMarket(toMarketConfig(terms)),
    setPhase(symbol, 'continuous'),
  ]);
  if (isSimulated) ids.push(...(await fundOwner(ctx, operator, terms, report)));
  report({ [`market ${symbol}`]: await outcomeOf(ctx, ids, waitMs) });
}

async function hasMarket(ctx: Context, symbol: string): Promise<boolean> {
  try {
    await getMarketConfig(ctx.db, symbol);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** A trading key and some money, so that the first order needs no second operator. */
async function fundOwner(
  ctx: Context,
  operator: Operator,
  terms: MarketTerms,
  report: SetupReporter,
): Promise<bigint[]> {
  const [known] = await listKeysOf(ctx.db, operator.id, 1);
  let accountId = known?.accountId;
  if (accountId === undefined) {
    const key = await createTradingKey(ctx, {
      userId: operator.id,
      permissions: ['read', 'trade'],
      label: 'setup',
    });
    accountId = key.accountId;
    report({ trading_api_key: key.keyId, trading_secret_key: key.secret });
  }
  const ids: bigint[] = [];
  const funds = simulatedFunds(terms);
  for (const { coin, amount } of funds) {
    ids.push(await simulateDeposit(ctx, operator, { to: Number(accountId), coin, amount }));
  }
  const list = funds.map(({ coin, amount }) => `${amount} ${coin}`).join(' and ');
  report({ funds: `${list} for ${operator.email}, simulated` });
  return ids;
}

/** The first refusal of the engine is what the operator has to know. */
async function outcomeOf(ctx: Context, ids: readonly bigint[], waitMs: number): Promise<string> {
  const untilMs = performance.now() + waitMs;
  for (const id of ids) {
    const command = await awaitCommand(ctx, id, Math.max(0, untilMs - performance.now()));
    if (command.status === 'refused') throw new CommandError(describeCommand(command));
    if (command.status !== 'done') return 'is made as soon as the server runs (`rialto serve`)';
  }
  return 'open';
}
