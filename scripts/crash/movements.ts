// Operators and custody who move money while everything around them dies: deposits and their
// reversals, transfers, withdrawals, fees of networks, and adjustments with a second approval. Each reaches the engine as a row of
// operator_commands, many of them twice under the same id, like a retry after an unknown outcome.
import { setTimeout as sleep } from 'node:timers/promises';
import { SIMULATED_NETWORK } from '@rialto/matching';
import type { Random } from '../../server/src/testing/random.ts';
import { ringEngine } from '../../server/src/platform/bus/bells.ts';
import type { Context } from '../../server/src/platform/context.ts';
import type { Tx } from '../../server/src/platform/db/transaction.ts';
import { Refusal } from '../../server/src/platform/http/refusal.ts';
import { formatAmount } from '../../server/src/trading/amount.ts';
import {
  addEvidence,
  evidenceOf,
  movementNames,
} from '../../server/src/trading/custody/evidence.ts';
import { addSimulatedDeposits } from '../../server/src/trading/custody/simulated.ts';
import { insertCustodyCommands } from '../../server/src/trading/operators/access.ts';
import { encodeCommand, type NewCommand } from '../../server/src/trading/engine/command.ts';
import { getCommand } from '../../server/src/trading/operators/access.ts';
import { addAct, approveCommand } from '../../server/src/trading/operators/actions.ts';
import { adjustLedger } from '../../server/src/trading/operators/acts.ts';
import { isFinal } from '../../server/src/trading/operators/command-row.ts';
import type { Operator } from '../../server/src/accounts/operators/operator.ts';
import { keyOf, type Records } from './records.ts';

export interface MovementsOptions {
  readonly ctx: Context;
  readonly records: Records;
  /** One requests, the other approves. */
  readonly operators: readonly [Operator, Operator];
  readonly accounts: readonly number[];
  random(name: string): Random;
  /** Mean pause between two movements of one mover. */
  readonly pauseMs: number;
}

export interface Movements {
  /** Makes this many at once; resolves when all of them have ended. */
  burst(count: number): Promise<void>;
  /** How many rows were written for them. */
  readonly rows: number;
  stop(): Promise<void>;
}

const MOVERS = 3;
const RETRY_MS = 50;
const UNIT = 10n ** 18n;
const COINS = ['btc', 'usdt'] as const;
/** Enough for every reversal and fee of a run, in whole coins. */
const COVER = 10_000n;
/** One movement in this many is requested twice. */
const TWICE = 3;

export function startMovements(options: MovementsOptions): Movements {
  const { ctx, records, operators, accounts, pauseMs } = options;
  const [asking, agreeing] = operators;
  let isOver = false;
  let count = 0;
  let rows = 0;

  /**
   * Retries until the row is in the database. If the outcome is unknown, it writes again: the id
   * makes that harmless.
   */
  async function persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Refusal) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async function insert(work: (tx: Tx) => Promise<readonly bigint[]>): Promise<bigint> {
    const ids = await persist(() => ctx.inTransaction(work));
    ringEngine(ctx);
    rows += ids.length;
    return ids.at(-1) ?? 0n;
  }

  /** Waits for the outcome of a row and records it. Returns whether it was done. */
  async function ended(key: string, command: NewCommand, id: bigint): Promise<boolean> {
    const asked = records.open(key, 'rows', command);
    for (;;) {
      const row = await persist(() => getCommand(ctx.db, id));
      if (isFinal(row.status)) {
        const isReplay = row.result?.kind === 'moved' && row.result.replay;
        records.add(
          asked,
          row.status === 'done'
            ? { kind: 'done', said: '', isReplay }
            : { kind: 'nothing', why: `rejected ${JSON.stringify(row.result)}` },
        );
        return row.status === 'done';
      }
      await sleep(RETRY_MS);
    }
  }

  /** Writes the row, sometimes twice, and waits for its outcome. */
  async function ask(
    random: Random,
    key: string,
    command: NewCommand,
    write: (tx: Tx) => Promise<readonly bigint[]>,
  ): Promise<boolean> {
    records.open(key, 'rows', command);
    const times = random.below(TWICE) === 0 ? 2 : 1;
    const ids = await Promise.all(Array.from({ length: times }, () => insert(write)));
    const ends = await Promise.all(ids.map((id) => ended(key, command, id)));
    return ends.includes(true);
  }

  const custody =
    (command: NewCommand) =>
    (tx: Tx): Promise<bigint[]> =>
      insertCustodyCommands(tx, [encodeCommand(command)], 'simulated custody');

  /** The same with what custody saw leave, in the same commit. */
  const leaving =
    (command: NewCommand) =>
    async (tx: Tx): Promise<bigint[]> => {
      const ids = await insertCustodyCommands(tx, [encodeCommand(command)], 'simulated custody');
      const [commandId] = ids;
      const gone = evidenceOf(command);
      if (gone !== undefined && commandId !== undefined) {
        const seen = { source: 'simulated', who: 'simulated custody', commandId } as const;
        await addEvidence(tx, [{ ...gone, ...seen }]);
      }
      return ids;
    };

  let funding: Promise<bigint> | undefined;
  /** A reversal that misses something stops the markets, so adjustments can cover all of them. */
  const fund = (): Promise<bigint> =>
    (funding ??= insert((tx) =>
      addSimulatedDeposits(
        ctx,
        tx,
        COINS.map((coin) => ({
          id: `cover-${coin}`,
          to: 'adjustments' as const,
          coin,
          amount: COVER * UNIT,
        })),
      ),
    ));

  async function moveOne(random: Random): Promise<void> {
    count += 1;
    const id = `move-${count}`;
    const account = random.pick(accounts);
    const coin = random.pick(COINS);
    const amount = BigInt(1 + random.below(1000)) * (UNIT / 100_000n);
    switch (random.below(6)) {
      case 0:
        await deposit(random, id, account, coin, amount);
        return;
      case 4:
        if (await deposit(random, id, account, coin, amount)) {
          await reverse(random, id, account, coin, amount);
        }
        return;
      case 5: {
        await fund();
        const network = SIMULATED_NETWORK;
        const command: NewCommand = { type: 'book_chain_cost', costId: id, network, coin, amount };
        await ask(random, keyOf.chainCost(id), command, leaving(command));
        return;
      }
      case 1: {
        const to = random.pick(accounts.filter((other) => other !== account));
        const command: NewCommand = {
          type: 'transfer',
          transferId: id,
          from: account,
          to,
          coin,
          amount,
        };
        await ask(random, keyOf.transfer(id), command, custody(command));
        return;
      }
      case 2:
        return withdraw(random, id, account, coin, amount);
      default:
        return adjust(random, id, account, coin, amount);
    }
  }

  function deposit(
    random: Random,
    id: string,
    account: number,
    coin: string,
    amount: bigint,
  ): Promise<boolean> {
    const network = SIMULATED_NETWORK;
    const terms = { depositId: id, network, coin, to: account, amount } as const;
    return ask(random, keyOf.deposit(id), { type: 'credit_deposit', ...terms }, (tx) =>
      addSimulatedDeposits(ctx, tx, [{ id, to: account, coin, amount }]),
    );
  }

  /** Takes a deposit back, and then asks for it once more where nothing is. */
  async function reverse(
    random: Random,
    depositId: string,
    account: number,
    coin: string,
    amount: bigint,
  ): Promise<void> {
    await fund();
    const terms = { depositId, network: SIMULATED_NETWORK, coin, amount } as const;
    const first: NewCommand = { type: 'reverse_deposit', ...terms, part: 0, account, cover: true };
    await ask(random, keyOf.reversal(depositId, 0), first, leaving(first));
    const second: NewCommand = { ...first, part: 1, account: 'suspense', cover: false };
    await ask(random, keyOf.reversal(depositId, 1), second, leaving(second));
  }

  async function withdraw(
    random: Random,
    id: string,
    account: number,
    coin: string,
    amount: bigint,
  ): Promise<void> {
    const network = SIMULATED_NETWORK;
    const fee = amount / 10n;
    const request: NewCommand = {
      type: 'request_withdrawal',
      withdrawalId: id,
      account,
      coin,
      network,
      amount,
      fee,
    };
    if (!(await ask(random, keyOf.withdrawal(id), request, custody(request)))) return;
    const type = random.pick(['settle_withdrawal', 'cancel_withdrawal'] as const);
    const end: NewCommand = { type, withdrawalId: id };
    const isPaid = type === 'settle_withdrawal';
    const key = keyOf.settlement(id);
    records.open(key, 'rows', end);
    const row = await insert(async (tx) => {
      const ids = await insertCustodyCommands(tx, [encodeCommand(end)], 'simulated custody');
      const [commandId] = ids;
      if (isPaid && commandId !== undefined) {
        await addEvidence(tx, [
          {
            cause: movementNames.withdrawal(id),
            coin,
            network,
            amount: fee - amount,
            source: 'simulated',
            who: 'simulated custody',
            commandId,
          },
        ]);
      }
      return ids;
    });
    await ended(key, end, row);
  }

  /** To or from one of the venue's own accounts, with the approval of a second operator. */
  async function adjust(
    random: Random,
    id: string,
    account: number,
    coin: string,
    amount: bigint,
  ): Promise<void> {
    const [from, to] = random.shuffled([account, 'adjustments' as const]);
    const act = adjustLedger({
      id,
      from: from ?? account,
      to: to ?? account,
      coin,
      amount: formatAmount(amount),
      reason: 'The run moves money.',
    });
    const key = keyOf.adjustment(id);
    records.open(key, 'rows', act.command);
    const times = random.below(TWICE) === 0 ? 2 : 1;
    await Promise.all(
      Array.from({ length: times }, async () => {
        const row = await insert(async (tx) => [await addAct(ctx, tx, asking, act)]);
        await agree(row);
        await ended(key, act.command, row);
      }),
    );
  }

  async function agree(id: bigint): Promise<void> {
    try {
      await persist(() => approveCommand(ctx, agreeing, id));
    } catch (error) {
      // The answer to the first approval was lost; the second finds nothing to approve.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  const runs = Array.from({ length: MOVERS }, async (_, index) => {
    const random = options.random(`mover ${index}`);
    while (!isOver) {
      await moveOne(random);
      await sleep(random.below(2 * pauseMs));
    }
  });
  const burstRandom = options.random('burst');

  return {
    get rows() {
      return rows;
    },
    async burst(size) {
      await Promise.all(Array.from({ length: size }, () => moveOne(burstRandom)));
    },
    async stop() {
      isOver = true;
      await Promise.all(runs);
    },
  };
}
