// Twenty-five planted bugs. Each is a change of one place in a copy of the source, so that the
// product carries no switches; the simulation must catch every one, or the simulation is broken.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Violation, runSeed } from './agreement.ts';
import type { Core } from './agreement.ts';
import { mix64 } from './random.ts';

export interface Mutant {
  name: string;
  file: string;
  search: string;
  replace: string;
}

export const MUTANTS: readonly Mutant[] = [
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
    search:
      "if (bad === undefined && c.type !== 'request_withdrawal') rememberCause(s, key, terms);",
    replace: "if (bad === undefined && c.type === 'transfer') rememberCause(s, key, terms);",
  },
  {
    name: 'a snapshot loses the order of timers',
    file: 'snapshot.ts',
    search: '  rec.TIMER_SEQ,\n',
    replace: '',
  },
];

/** Commands within which a mutant must be caught. */
export const MUTANT_BUDGET = 200_000;
const RUN = 5_000;

export interface Catch {
  mutant: Mutant;
  /** Commands until the first violation, or undefined if it survived. */
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

/** Plants one bug in a copy of the source and runs seeds against it until it shows. */
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
