// Draws what a network does to the venue: it undoes a deposit, or charges for a transaction. A reversal is a short
// story: the first part asks for the deposit, and later parts for what was missing.

import { LIMITS } from '../../src/command.ts';
import type {
  BookChainCost,
  Command,
  CreditDeposit,
  ReverseDeposit,
  SuspendAccount,
} from '../../src/command.ts';
import type { Observed } from '../observed.ts';
import type { Random } from '../random.ts';

type Untimed<C> = Omit<C, 'time' | 'checkpoint'>;
type Reversal = Untimed<ReverseDeposit>;
type Cost = Untimed<BookChainCost>;
type Deposit = Untimed<CreditDeposit>;
type Drawn = Deposit | Reversal | Cost | Omit<SuspendAccount, 'time'>;

interface Venue {
  /** The latest movements of money. */
  readonly money: readonly Command[];
  account(): number;
  serial(): number;
}

export function drawCustody(r: Random, observed: Observed, venue: Venue): Drawn[] {
  const network = r.pick(observed.world.networks);
  const deposits = venue.money.filter(
    (one): one is CreditDeposit => one.type === 'credit_deposit' && one.to !== 'adjustments',
  );
  const deposit: Deposit =
    deposits.length > 0 && r.chance(0.8)
      ? r.pick(deposits)
      : {
          type: 'credit_deposit',
          depositId: `r${venue.serial()}`,
          network,
          coin: r.pick(observed.world.coins),
          to: venue.account(),
          amount: 7n,
        };
  const { coin } = deposit;
  const had = observed.available.get(`adjustments|${coin}`) ?? 0n;
  // Adjustments are often empty, and then every reversal and every cost would end in the same way.
  const added = r.chance(0.5) ? 1n + deposit.amount / BigInt(r.logBetween(1, 1000)) : 0n;
  const story: Array<Reversal | Cost> = r.chance(0.4)
    ? [drawCost(r, observed, venue, coin, had + added)]
    : drawReversal(r, observed, venue, deposit, had + added);
  // The answer is lost, and custody asks again.
  const again = r.chance(0.35) ? r.pick(story) : undefined;
  if (again !== undefined) {
    story.push(r.chance(0.25) ? { ...again, amount: again.amount + 1n } : again);
  }
  const depositId = `f${venue.serial()}`;
  const fund: Deposit = { ...deposit, depositId, network, to: 'adjustments', amount: added };
  return [...(added > 0n ? [fund] : []), ...(r.chance(0.15) ? whileSuspended(r, story) : story)];
}

function whileSuspended(r: Random, story: Array<Reversal | Cost>): Drawn[] {
  const [first] = story;
  if (first?.type !== 'reverse_deposit' || typeof first.account !== 'number') return story;
  const { account } = first;
  const suspend = { type: 'suspend_account', account, cancelOrders: r.chance(0.5) } as const;
  return [{ ...suspend, suspended: true }, ...story, { ...suspend, suspended: false }];
}

function drawCost(r: Random, observed: Observed, venue: Venue, coin: string, have: bigint): Cost {
  return {
    type: 'book_chain_cost',
    costId: `x${venue.serial()}`,
    network: drawNetwork(r, observed, r.pick(observed.world.networks)),
    coin: r.chance(0.06) ? 'nocoin' : coin,
    amount: r.chance(0.06) ? drawBadAmount(r) : drawAmount(r, [1n, have / 100n, have, have + 1n]),
  };
}

function drawReversal(
  r: Random,
  observed: Observed,
  venue: Venue,
  deposit: Deposit,
  spare: bigint,
): Reversal[] {
  const account = r.chance(0.06)
    ? r.pick<Reversal['account']>([5, 'fees' as never, 'capital' as never])
    : r.chance(0.1)
      ? r.pick<Reversal['account']>(['suspense', 'adjustments'])
      : deposit.to;
  const have = observed.available.get(`${account}|${deposit.coin}`) ?? 0n;
  const asked = drawAmount(r, [
    deposit.amount,
    have / 2n,
    have,
    have + spare / 2n + 1n,
    have + spare,
    have + spare + 5n,
  ]);
  const first: Reversal = {
    type: 'reverse_deposit',
    network: drawNetwork(r, observed, deposit.network),
    depositId: deposit.depositId,
    part: r.chance(0.05)
      ? r.pick([-1, 0.5, LIMITS.reversalPartMax, LIMITS.reversalPartMax + 1])
      : venue.serial() % LIMITS.reversalPartMax,
    coin: r.chance(0.04) ? 'nocoin' : deposit.coin,
    account,
    amount: r.chance(0.05) ? drawBadAmount(r) : asked,
    cover: r.chance(0.6),
  };
  const missing = asked - have;
  if (missing <= 0n || r.chance(0.5)) return [first];
  // What the account does not have is asked for again: in vain, and then from the venue.
  const { part } = first;
  return [
    { ...first, cover: false },
    { ...first, part: part + 1, amount: missing, cover: false },
    { ...first, part: part + 2, amount: missing, cover: true },
  ];
}

const drawNetwork = (r: Random, { world }: Observed, usual: string): string =>
  r.chance(0.12) ? r.pick(['NOWHERE', world.foreign]) : usual;

const drawBadAmount = (r: Random): bigint => r.pick([0n, -1n, LIMITS.amountMax + 1n]);

const drawAmount = (r: Random, amounts: readonly bigint[]): bigint => {
  const amount = r.pick(amounts);
  return amount > 0n ? amount : 1n;
};
