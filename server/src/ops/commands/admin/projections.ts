// `rialto admin rebuild-projections`: rebuilds orders, trades, ledger, balances and candles from the journal.
import { Command } from 'commander';
import { rebuildProjections, type Progress } from '../../../trading/projections/rebuild.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { writes } from './acting.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

interface RebuildOptions extends JsonOption {
  compare?: boolean;
  check?: boolean;
}

const SHOW_EVERY_MS = 1000;

export function rebuildProjectionsCommand(): Command {
  return writes(new Command('rebuild-projections'), { none: 'nothing' })
    .description('rebuild orders, trades, ledger and candles from the journal, while orders flow')
    .option('--compare', 'compare with the live tables before taking their place')
    .option('--check', 'only compare, and leave the live tables where they are')
    .option('--json', 'print JSON')
    .action(rebuild);
}

async function rebuild(options: RebuildOptions): Promise<void> {
  const isCheck = options.check === true;
  const { tables, ...summary } = await asOperator(readEnvironment(), (ctx) =>
    rebuildProjections(ctx, {
      compare: isCheck || options.compare === true,
      swap: !isCheck,
      ...(options.json === true ? {} : { onProgress: progressLine() }),
    }),
  );
  if (options.json === true) {
    console.log(JSON.stringify({ ...summary, tables }));
  } else {
    process.stderr.write('\n');
    printRows(
      options,
      tables.map(({ table, rows, liveRows, isSame }) => ({
        table,
        rows,
        ...(isSame === undefined ? {} : { live: liveRows ?? 0, same: isSame ? 'yes' : 'NO' }),
      })),
      'There are no tables.',
    );
    printFields(options, {
      journal_row: summary.seq,
      engine_events: summary.steps,
      seconds: summary.seconds.toFixed(1),
      live_now: summary.isSwapped ? 'the new tables' : 'the old tables',
    });
  }
  // A check that found a difference fails; a rebuild that found one has repaired it.
  if (isCheck && summary.isSame === false) process.exitCode = 1;
}

/** One line that is overwritten, on the error output, so that the result can go into a file. */
function progressLine(): (progress: Progress) => void {
  let shownMs = 0;
  return ({ seq, through, steps }) => {
    const nowMs = performance.now();
    if (nowMs - shownMs < SHOW_EVERY_MS && seq < through) return;
    shownMs = nowMs;
    process.stderr.write(`\rjournal row ${seq} of ${through}, ${steps} engine events`);
  };
}
