// `rialto journal`: where the rows of the engine's journal are, whether all are whole, and how old ones leave the database.
import { Command } from 'commander';
import { listArchives, listJournalParts } from '../../trading/engine/journal/access.ts';
import { pruneJournal } from '../../trading/engine/journal/prune.ts';
import { verifyJournal } from '../../trading/engine/journal/verify.ts';
import { readEnvironment } from '../environment.ts';
import { asOperator } from '../operator.ts';
import { CommandError } from '../trouble.ts';
import { printFields, printRows, type JsonOption } from './admin/output.ts';

const SHARD = 0;
const DAYS_MAX = 36_500;

export function journalCommand(): Command {
  const journal = new Command('journal').description(
    "show, check and shorten the engine's journal; it is kept for ever unless you prune it",
  );
  journal
    .command('list')
    .description('list its parts, in the database and in the file store')
    .option('--json', 'print JSON')
    .action(list);
  journal
    .command('verify')
    .description('read every archived file, and replay all rows from the first one')
    .option('--files-only', 'read the files, and replay nothing')
    .option('--json', 'print JSON')
    .action(verify);
  journal
    .command('prune')
    .description(
      'move old parts into the file store and out of the database; without --apply only say what would be done',
    )
    .option('--below <row>', 'parts whose rows are all below this one')
    .option('--keep-days <days>', 'parts whose rows are all older than this')
    .option('--apply', 'do it; needs DATABASE_OWNER_URL')
    .option('--json', 'print JSON')
    .action(prune);
  return journal;
}

async function list(options: JsonOption): Promise<void> {
  const { parts, archives } = await asOperator(
    readEnvironment(),
    async ({ database: { pool } }) => ({
      parts: await listJournalParts(pool),
      archives: await listArchives(pool, SHARD),
    }),
  );
  const inTable = (firstSeq: number) => parts.find((part) => part.firstSeq === firstSeq);
  printRows(
    options,
    [
      ...archives.map(({ firstSeq, lastSeq, byteCount, isRemoved }) => ({
        first: firstSeq,
        last: lastSeq,
        database: isRemoved ? '-' : (inTable(firstSeq)?.name ?? ''),
        megabytes: megabytes(isRemoved ? 0 : (inTable(firstSeq)?.bytes ?? 0)),
        file_store: `${megabytes(byteCount)} MB`,
      })),
      ...parts
        .filter(({ firstSeq }) => !archives.some((row) => row.firstSeq === firstSeq))
        .map(({ name, firstSeq, pastSeq, bytes }) => ({
          first: firstSeq,
          last: pastSeq === undefined ? '' : pastSeq - 1,
          database: name,
          megabytes: megabytes(bytes),
          file_store: '-',
        })),
    ],
    'The journal has no parts.',
  );
}

const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

async function verify(options: JsonOption & { filesOnly?: boolean }): Promise<void> {
  const report = await asOperator(readEnvironment(), (ctx) =>
    verifyJournal(ctx, { isReplayed: options.filesOnly !== true }),
  );
  if (options.json === true) console.log(JSON.stringify(report));
  else {
    const { archives, faults, tableFromSeq, headSeq, replayedSeq } = report;
    printFields(options, {
      archived_parts: archives.length,
      archived_files: archives.reduce((sum, { files }) => sum + files, 0),
      rows_in_database: `${tableFromSeq} to ${headSeq}`,
      replayed: options.filesOnly === true ? 'nothing' : `rows 1 to ${replayedSeq}`,
      verdict: faults.length === 0 ? 'whole' : 'DAMAGED',
    });
    for (const fault of faults) console.log(fault);
  }
  if (report.faults.length > 0) process.exitCode = 1;
}

interface PruneLine extends JsonOption {
  below?: string;
  keepDays?: string;
  apply?: boolean;
}

async function prune(options: PruneLine): Promise<void> {
  const keep = keptBy(options);
  const isDryRun = options.apply !== true;
  const report = await asOperator(readEnvironment(), (ctx) =>
    pruneJournal(ctx, {
      keep,
      isDryRun,
      ...(options.json === true
        ? {}
        : { onStep: (text: string) => void process.stderr.write(`${text}\n`) }),
    }),
  );
  if (options.json === true) {
    console.log(JSON.stringify(report));
    return;
  }
  printRows(
    options,
    report.parts.map(({ name, firstSeq, lastSeq, bytes, isArchived, isRemoved }) => ({
      part: name,
      first: firstSeq,
      last: lastSeq,
      megabytes: megabytes(bytes),
      file_store: isArchived ? 'yes' : 'not yet',
      database: isRemoved ? 'removed' : isDryRun ? 'would be removed' : 'stays',
    })),
    'No part can be removed.',
  );
  console.log(`No more, because ${report.because}.`);
  if (isDryRun) console.log('Nothing was changed. With --apply it is done.');
}

/** Exported for its test. */
export function keptBy({
  below,
  keepDays,
}: Pick<PruneLine, 'below' | 'keepDays'>): { fromSeq: number } | { days: number } {
  if ((below === undefined) === (keepDays === undefined)) {
    throw new CommandError('Say either --below ROW or --keep-days DAYS.');
  }
  if (below !== undefined) {
    if (/^[1-9]\d{0,14}$/.test(below)) return { fromSeq: Number(below) };
    throw new CommandError(`--below must be the number of a row, not "${below}".`);
  }
  const days = Number(keepDays);
  if (/^\d{1,5}$/.test(keepDays ?? '') && days >= 1 && days <= DAYS_MAX) return { days };
  throw new CommandError(`--keep-days must be 1 to ${DAYS_MAX}, not "${keepDays}".`);
}
