// Batches as the engine writes them, from a market with rich accounts in memory: for tests of what reads batches.
import type { Command } from '@rialto/matching';
import { decodeCommand, encodeCommand, type NewCommand } from '../../trading/engine/command.ts';
import { Machine } from '../../trading/engine/machine.ts';
import { firstConfig } from '../../trading/engine/recover.ts';
import { exampleMarket } from '../example-market.ts';
import type { Random } from '../random.ts';

const TIME_MS = 1_760_000_000_000;
const MONEY = 10n ** 30n;
const PRICE_TICKS = 6_400_000;

/** The commands that open btcusdt, and these accounts with much money. */
export function openingCommands(accounts: readonly number[]): NewCommand[] {
  const coins = ['btc', 'usdt'];
  return [
    ...coins.map((coin): NewCommand => ({ type: 'list_coin', coin, networks: ['N'] })),
    { type: 'define_fee_tier', tier: 0, makerPpm: 1000, takerPpm: 2000 },
    ...accounts.flatMap((account): NewCommand[] => [
      { type: 'open_account', account, parent: account },
      ...coins.map((coin): NewCommand => {
        const deposit = { depositId: `${coin} ${account}`, network: 'N', coin, to: account };
        return { type: 'credit_deposit', ...deposit, amount: MONEY };
      }),
    ]),
    { type: 'create_market', config: exampleMarket({ maxOpenOrders: 10_000 }) },
    { type: 'set_phase', symbol: 'btcusdt', phase: 'continuous' },
  ];
}

/** A limit order so far from the listing price, in ticks. */
export const limitOrder = (
  account: number,
  side: 'buy' | 'sell',
  { ticks = 0, lots = 1000 } = {},
): NewCommand => ({
  type: 'place',
  account,
  order: {
    symbol: 'btcusdt',
    type: 'limit',
    side,
    volume: lots,
    price: PRICE_TICKS + ticks,
    priceDecimals: 2,
    volumeDecimals: 6,
  },
});

/** Orders that rest, trade and end, and now and then another phase. */
export function randomCommand(random: Random, accounts: readonly number[]): NewCommand {
  const account = random.pick(accounts);
  switch (random.below(20)) {
    case 0:
      return { type: 'cancel_all', account };
    case 1: {
      const phase = random.pick(['continuous', 'continuous', 'cancel_only'] as const);
      return { type: 'set_phase', symbol: 'btcusdt', phase };
    }
    default:
      return limitOrder(account, random.pick(['buy', 'sell']), {
        ticks: random.below(21) - 10,
        lots: 100 + random.below(2000),
      });
  }
}

export class TestBatches {
  readonly #machine = Machine.empty(firstConfig(0));
  #time = TIME_MS;

  /** The payloads of the events of one row of the journal. */
  write(commands: readonly NewCommand[]): readonly string[] {
    const draft = this.#machine.begin();
    for (const command of commands) {
      this.#time += 1;
      const text = encodeCommand(command);
      const timed: Command = decodeCommand(text, this.#time);
      this.#machine.apply(draft, timed, text, { always: true });
    }
    return this.#machine.seal(draft).events;
  }
}
