// The planted bugs. Each changes one place in a copy of the source, so the product carries no
// switches. The simulation must catch every one of them.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runSeed } from './agreement.ts';
import { LIST_MUTANTS } from './mutants/lists.ts';
import { AUCTION_MUTANTS } from './mutants/auctions.ts';
import { Violation } from './violation.ts';
import type { Core } from './violation.ts';
import { CUSTODY_MUTANTS } from './mutants/custody.ts';
import type { Mutant } from './mutants/mutant.ts';
import { TRAILING_MUTANTS } from './mutants/trailing.ts';
import { mix64 } from './random.ts';
import { REPLACING_MUTANTS } from './mutants/replacing.ts';

const CORE_MUTANTS: readonly Mutant[] = [
  {
    name: 'the taker fee is rounded down',
    file: 'core/settle.ts',
    search: 'shareOf(s, market, TAKER_FEE, takerBuys, price, lots, takerPpm, true)',
    replace: 'shareOf(s, market, TAKER_FEE, takerBuys, price, lots, takerPpm, false)',
  },
  {
    name: 'a rebate is rounded up',
    file: 'core/settle.ts',
    search: 'price, lots, -makerPpm, false)',
    replace: 'price, lots, -makerPpm, true)',
  },
  {
    name: 'a rebate may exceed the taker fee',
    file: 'core/settle.ts',
    search: 'Math.max(maker.tier.makerPpm, -takerPpm)',
    replace: 'maker.tier.makerPpm',
  },
  {
    name: 'buyer and seller pay each other’s fee',
    file: 'core/settle.ts',
    search: 'const buyerFee = takerBuys ? TAKER_FEE : MAKER_FEE;',
    replace: 'const buyerFee = takerBuys ? MAKER_FEE : TAKER_FEE;',
  },
  {
    name: 'price improvement is kept by the venue',
    file: 'core/settle.ts',
    search: 'add(rows, buyerQuote, scratch, TEMP);',
    replace: 'add(rows, feesQuote, scratch, TEMP);',
  },
  {
    name: 'a trade is made at the taker’s price',
    file: 'core/execute.ts',
    search: 'trade(s, market, slot, account, makerSlot, maker, lots, price);',
    replace: 'trade(s, market, slot, account, makerSlot, maker, lots, isMarket ? price : limit);',
  },
  {
    name: 'an iceberg’s next slice keeps its place',
    file: 'core/execute.ts',
    search: 'book.requeue(makerSlot);',
    replace: '',
  },
  {
    name: 'an iceberg shows everything after its first slice',
    file: 'core/execute.ts',
    search: 'const slice = Math.min(f64[makerCell + VISIBLE]!, remaining);',
    replace: 'const slice = remaining;',
  },
  {
    name: 'self-trade prevention looks at the account, not the family',
    file: 'core/execute.ts',
    search: 'if (maker.parent === account.parent) {',
    replace: 'if (maker === account) {',
  },
  {
    name: 'expire_both lets the incoming order go on',
    file: 'core/execute.ts',
    search: 'return mode === EXPIRE_MAKER ? GO_ON : END_STP;',
    replace: 'return GO_ON;',
  },
  {
    name: 'a decrement gives the hold back twice',
    file: 'core/execute.ts',
    search: 'subtract(f64, cell + HELD, s.scratch, amount);',
    replace: '',
  },
  {
    name: 'a partly filled order keeps its hold when it is cancelled',
    file: 'core/finish.ts',
    search: 'if (!isZero(f64, cell + HELD)) {',
    replace: 'if (!isZero(f64, cell + HELD) && u32[word + STATUS] !== 2) {',
  },
  {
    name: 'forgotten client ids leave no mark',
    file: 'core/finish.ts',
    search: 's.forgottenThrough = f64[oldest * CELLS + SEQ]!;',
    replace: '',
  },
  {
    name: 'a lower volume sends the order to the back, a higher one does not',
    file: 'core/amend.ts',
    search: 'next.volume < f64[cell + VOLUME]!',
    replace: 'next.volume > f64[cell + VOLUME]!',
  },
  {
    name: 'an amendment never asks for more funds',
    file: 'core/amend.ts',
    search: 'if (!fits || compare(scratch, TEMP, s.rows, available) > 0) {',
    replace: 'if (!fits) {',
  },
  {
    name: 'a client id with other terms is taken for a repetition',
    file: 'core/recall.ts',
    search: 'if (isSameRequest(s, slot, market, terms)) return slot;',
    replace: 'if (slot !== NONE) return slot;',
  },
  {
    name: 'a refused all_or_none batch keeps its holds',
    file: 'core/place.ts',
    search: 'subtract(s.rows, row + LIMBS, f64, cell + HELD);',
    replace: 'subtract(s.rows, row, f64, cell + HELD);',
  },
  {
    name: 'the price band is one tick too narrow',
    file: 'core/check.ts',
    search: 'if (price >= minimum && price <= maximum) return undefined;',
    replace: 'if (price > minimum && price < maximum) return undefined;',
  },
  {
    name: 'orders at the same price do not meet',
    file: 'core/walk.ts',
    search: 'side === BUY ? price <= limit : price >= limit;',
    replace: 'side === BUY ? price < limit : price > limit;',
  },
  {
    name: 'a buy by total may spend one lot too many',
    file: 'core/walk.ts',
    search: 'return Number(toBigint(a, i) / unit);',
    replace: 'return Number(toBigint(a, i) / unit) + 1;',
  },
  {
    name: 'stops hit by one trade fire youngest first',
    file: 'core/trigger.ts',
    search: '.sort((a, b) => f64[a * CELLS + ID]! - f64[b * CELLS + ID]!)',
    replace: '.sort((a, b) => f64[b * CELLS + ID]! - f64[a * CELLS + ID]!)',
  },
  {
    name: 'a stop does not fire at exactly its price',
    file: 'triggers.ts',
    search: 'this.rising ? price >= -stop : price <= stop;',
    replace: 'this.rising ? price > -stop : price < stop;',
  },
  {
    name: 'a timer fires one millisecond late',
    file: 'core/apply.ts',
    search: 'if (first.due > time) return;',
    replace: 'if (first.due >= time) return;',
  },
  {
    name: 'a deposit sent twice is credited twice',
    file: 'core/money.ts',
    search: "if (c.type !== 'request_withdrawal') rememberCause(",
    replace: "if (c.type === 'transfer') rememberCause(",
  },
  {
    name: 'a snapshot loses the order of timers',
    file: 'snapshot.ts',
    search: '  rec.TIMER_SEQ,\n',
    replace: '',
  },
  {
    name: 'a snapshot does not say by which rules the state lives',
    file: 'snapshot.ts',
    search: 'const rules = format >= FORMAT_WITH_RULES ? r.whole() : 1;',
    replace: 'const rules = format >= FORMAT_WITH_RULES ? Math.max(CORE_VERSION, r.whole()) : 1;',
  },
  {
    name: 'timers are bounded before the upgrade to rules 2',
    file: 'core/apply.ts',
    search: 'let left = s.rules >= 2 ? s.config.sweepStep : Infinity;',
    replace: 'let left = s.config.sweepStep;',
  },
  {
    name: 'a command that only rules 2 know is carried out under rules 1',
    file: 'core/apply.ts',
    search: 'if (s.rules >= 2) cancelMarket(s, c);',
    replace: 'if (s.rules >= 1) cancelMarket(s, c);',
  },
  {
    name: 'the key of the hash is left out of the snapshot',
    file: 'snapshot.ts',
    search: 'for (const word of s.hashKey) w.whole(word);',
    replace: 'for (const _ of s.hashKey) w.whole(0);',
  },
  {
    name: 'a sweep is resumed twice',
    file: 'core/sweep.ts',
    search: 'const done = advance(s, sweep, orderIds);',
    replace: 'const done = advance(s, sweep, orderIds) || advance(s, sweep, []);',
  },
  {
    name: 'a sweep passes over the order at its place',
    file: 'core/sweep.ts',
    search: 'if (partial) sweep.next = slot;',
    replace: 'if (partial) sweep.next = i32[slot * CELLS * 2 + MINE_NEXT]!;',
  },
  {
    name: 'a sweep loses its place when the order there ends',
    file: 'core/finish.ts',
    search: 'if (sweep.next === slot) sweep.next = next;',
    replace: 'if (sweep.next === slot) sweep.next = NONE;',
  },
  {
    name: 'a sweep ends orders that were placed after it began',
    file: 'core/sweep.ts',
    search: 'if (slot === NONE || f64[slot * CELLS + ID]! > throughId) return true;',
    replace: 'if (slot === NONE) return true;',
  },
  {
    name: 'a market is open while it is swept',
    file: 'core/check.ts',
    search: 'if (market.sweeping > 0) return false;',
    replace: '',
  },
  {
    name: 'an expired order trades until its timer fires',
    file: 'core/execute.ts',
    search: 'if (someExpired && isExpired(s, makerSlot, s.time)) {',
    replace: 'if (someExpired && isExpired(s, makerSlot, 0)) {',
  },
  {
    name: 'fill-or-kill counts on orders that have expired',
    file: 'core/walk.ts',
    search: 'if (someExpired && isExpired(s, slot, time)) {',
    replace: 'if (someExpired && isExpired(s, slot, 0)) {',
  },
  {
    name: 'a test order sees hidden volume',
    file: 'core/check.ts',
    search: 'const visibleOnly = s.rules >= 2 && fills !== undefined;',
    replace: 'const visibleOnly = false;',
  },
  {
    name: 'a buy by volume is checked against the limit by what the book could fill',
    file: 'core/check.ts',
    search: 'if (s.rules >= 3 && d.side === BUY) {',
    replace: 'if (s.rules > 3 && d.side === BUY) {',
  },
  {
    name: 'a forgotten cause leaves no mark',
    file: 'core/money.ts',
    search: 's.causesForgottenThrough = cause.seq;',
    replace: '',
  },
  {
    name: 'a halt does not move the price it is compared with',
    file: 'core/phase.ts',
    search: "if (s.rules >= 2 && market.phase === 'halted' && phase !== 'halted') {",
    replace: "if (s.rules < 2 && market.phase === 'halted' && phase !== 'halted') {",
  },
  {
    name: 'a suspended account keeps its timer',
    file: 'core/accounts.ts',
    search: 's.deadMan.remove(account.index);\n      writeTimer(s, account, 0);',
    replace: 'writeTimer(s, account, 0);',
  },
  {
    name: 'capital is made from nothing',
    file: 'core/custody.ts',
    search: 'postCustody(s, network, coin, -amount);',
    replace: '',
  },
  {
    name: 'capital leaves that the venue does not have',
    file: 'core/custody.ts',
    search: 'if (!isIn && amount > available) {',
    replace: 'if (isIn && amount < 0n) {',
  },
  {
    name: 'simulated money enters a venue with real money',
    file: 'core/custody.ts',
    search: "(s.money === 'simulated') === (network === SIMULATED_NETWORK)",
    replace: "(s.money === 'real' || network === SIMULATED_NETWORK)",
  },
  {
    name: 'a snapshot forgets what the venue deals in',
    file: 'snapshot.ts',
    search: 's.money = r.text()',
    replace: "s.money = r.text().replace(/.*/, '')",
  },
  {
    name: 'time follows a clock that is set back',
    file: 'venue-time.ts',
    search: 'this.#timeMs += Math.max(-slewMs, Math.min(slewMs, this.#offsetMs));',
    replace: 'this.#timeMs += Math.min(slewMs, this.#offsetMs);',
  },
  {
    name: 'time follows a clock that is set forward',
    file: 'venue-time.ts',
    search: 'this.#timeMs += Math.max(-slewMs, Math.min(slewMs, this.#offsetMs));',
    replace: 'this.#timeMs += Math.max(-slewMs, this.#offsetMs);',
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...CORE_MUTANTS,
  ...REPLACING_MUTANTS,
  ...TRAILING_MUTANTS,
  ...LIST_MUTANTS,
  ...AUCTION_MUTANTS,
  ...CUSTODY_MUTANTS,
];

/** Commands within which a mutant must be caught. */
export const MUTANT_BUDGET = 1_000_000;
const RUN = 5_000;

export interface Catch {
  mutant: Mutant;
  /** Commands until the first violation, or undefined if the mutant survived. */
  after: number | undefined;
  message: string;
}

function mutate(mutant: Mutant, folder: string): void {
  const path = join(folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  const [before, after, ...more] = source.split(mutant.search);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${mutant.name}" does not match exactly one place of ${mutant.file}`);
  }
  writeFileSync(path, before + mutant.replace + after);
}

/** Plants one bug in a copy of the source and runs seeds against it until one fails. */
export async function huntMutant(mutant: Mutant, seed: bigint): Promise<Catch> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-mutant-'));
  try {
    cpSync(fileURLToPath(new URL('../src', import.meta.url)), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    mutate(mutant, folder);
    const core = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as Core;
    for (let run = 0; run * RUN < MUTANT_BUDGET; run++) {
      const log: unknown[] = [];
      try {
        const options = { core, seed: mix64(seed + BigInt(run)), commands: RUN, replay: true };
        runSeed(options, log as Parameters<typeof runSeed>[1]);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const index = error instanceof Violation && error.index >= 0 ? error.index : log.length;
        return { mutant, after: run * RUN + index + 1, message };
      }
    }
    return { mutant, after: undefined, message: '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
