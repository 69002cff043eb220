// `rialto archive`: the days of the venue's history that are kept in files. It reads what operators of this machine can
// read anyway, and changes only where the rows of a day are.
import { Command } from 'commander';
import type { Context } from '../../platform/context.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import {
  ArchiveDamaged,
  dayText,
  listEveryArchive,
  queryArchive,
  queryArchivedOrders,
  verifyArchive,
  type Archive,
} from '../../trading/projections/archive/access.ts';
import { archiveOldDays } from '../../trading/projections/archive/run.ts';
import { readEnvironment } from '../environment.ts';
import { asOperator } from '../operator.ts';
import { CommandError } from '../trouble.ts';
import { wholeOf } from './admin/acting.ts';
import { printFields, printRows, type JsonOption } from './admin/output.ts';

interface DaysOption {
  from?: string;
  to?: string;
}

export function archiveCommand(): Command {
  const archive = new Command('archive').description(
    'old days of the history, which are kept in compressed files of the file store',
  );
  withDays(archive.command('list'))
    .description('print which days are in files, and what is in them')
    .option('--json', 'print JSON')
    .action(list);
  withDays(archive.command('verify'))
    .description('read files back and compare them with their manifests, byte by byte')
    .action(verify);
  withDays(archive.command('query'))
    .description(
      'print archived trades of an account or a market, or orders of an account, one JSON object on each line',
    )
    .option('--account <number>', 'trades of this account')
    .option('--symbol <market>', 'trades of this market')
    .option('--orders', 'orders that the account placed, instead of its trades')
    .action(query);
  archive
    .command('run')
    .description('move old days into files now, instead of waiting for the upkeep')
    .option('--keep-days <days>', 'days that stay; HISTORY_KEEP_DAYS if absent')
    .option('--json', 'print JSON')
    .action(run);
  return archive;
}

const withDays = (command: Command): Command =>
  command
    .option('--from <day>', 'from this day on, such as 2026-01-31; from the first if absent')
    .option('--to <day>', 'to this day, included; to the last if absent');

async function list(options: DaysOption & JsonOption): Promise<void> {
  const archives = await asOperator(readEnvironment(), (ctx) =>
    listEveryArchive(ctx.db, daysOf(options), ['writing', 'written', 'archived']),
  );
  printRows(options, archives.map(fieldsOf), 'No day is in a file.');
}

const fieldsOf = ({ name, dayMs, state, fileKey, format, manifest }: Archive) => ({
  table: name,
  day: dayText(dayMs),
  state,
  rows: text(manifest?.rows),
  firstId: text(manifest?.firstId),
  lastId: text(manifest?.lastId),
  firstSeq: text(manifest?.firstSeq),
  lastSeq: text(manifest?.lastSeq),
  bytes: text(manifest?.fileBytes),
  format,
  file: fileKey,
  sha256: manifest?.fileSha256 ?? '',
});

const text = (value: bigint | null = null): string => (value === null ? '' : String(value));

/** Goes on after a wrong file, so that one run tells of all. */
async function verify(options: DaysOption): Promise<void> {
  const wrong = await asOperator(readEnvironment(), async (ctx) => {
    let [right, damaged] = [0, 0];
    for (const archive of await listEveryArchive(ctx.db, daysOf(options))) {
      const day = `${archive.name} of ${dayText(archive.dayMs)}`;
      try {
        await verifyArchive(ctx, archive);
        right += 1;
        console.log(`${day}: ${archive.manifest?.rows} rows are right.`);
      } catch (error) {
        if (!(error instanceof ArchiveDamaged)) throw error;
        damaged += 1;
        console.log(`${day}: WRONG. ${error.message}`);
      }
    }
    console.log(`${right} files are right, ${damaged} are wrong.`);
    return damaged;
  });
  if (wrong > 0) process.exitCode = 1;
}

interface QueryOptions extends DaysOption {
  account?: string;
  symbol?: string;
  orders?: true;
}

async function query(options: QueryOptions): Promise<void> {
  const { account, symbol, orders } = options;
  if ((account === undefined) === (symbol === undefined)) {
    throw new CommandError('Name an account with --account or a market with --symbol, not both.');
  }
  if (orders === true && account === undefined) {
    throw new CommandError(
      'Orders are found by the account that placed them: name it with --account instead of a market with --symbol.',
    );
  }
  const days = daysOf(options);
  await asOperator(readEnvironment(), async (ctx) => {
    const rows =
      account === undefined
        ? queryArchive(ctx, { symbol: symbol ?? '' }, days)
        : queryOfAccount(ctx, BigInt(wholeOf('--account', account)), days, orders === true);
    for await (const row of rows) console.log(row);
  });
}

const queryOfAccount = (
  ctx: Context,
  accountId: bigint,
  days: ReturnType<typeof daysOf>,
  isOfOrders: boolean,
): AsyncGenerator<string> =>
  isOfOrders ? queryArchivedOrders(ctx, accountId, days) : queryArchive(ctx, { accountId }, days);

async function run(options: JsonOption & { keepDays?: string }): Promise<void> {
  const report = await asOperator(readEnvironment(), (ctx) => runNow(ctx, options));
  printFields(options, { parts: report.parts, rows: Number(report.rows) });
}

async function runNow(ctx: Context, { keepDays, json }: JsonOption & { keepDays?: string }) {
  const days =
    keepDays === undefined ? ctx.config.HISTORY_KEEP_DAYS : wholeOf('--keep-days', keepDays);
  if (days === 0) {
    throw new CommandError(
      'HISTORY_KEEP_DAYS is 0, so every day stays in the tables. Set it, or say how many days stay with --keep-days.',
    );
  }
  const report = await archiveOldDays(ctx, {
    keepDays: days,
    nowMs: ctx.clock.now(),
    onStep: (step, dayMs, table) => {
      if (json !== true) console.error(`${table} of ${dayText(dayMs)}: ${step}`);
    },
  });
  if (report !== undefined) return report;
  throw new CommandError(
    'Another run of the archive or a rebuild of the projections is under way. Wait for its end.',
  );
}

function daysOf({ from, to }: DaysOption): { readonly fromMs: bigint; readonly toMs: bigint } {
  return {
    fromMs: from === undefined ? 0n : dayOf('--from', from),
    toMs: to === undefined ? 10n ** 16n : dayOf('--to', to) + BigInt(DAY_MS),
  };
}

function dayOf(flag: string, day: string): bigint {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  if (Number.isNaN(ms))
    throw new CommandError(`${flag} must be a day such as 2026-01-31, not "${day}".`);
  return BigInt(ms);
}
