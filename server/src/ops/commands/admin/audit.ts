// `rialto admin audit`: shows who did what.
import { Command } from 'commander';
import { listNewestEntries } from '../../../accounts/audit/access.ts';
import { tellOutcomes } from '../../../trading/operators/actions.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { wholeOf } from './acting.ts';
import { addHeadCommands } from './audit-heads.ts';
import { printRows, type JsonOption } from './output.ts';

const ENTRIES_MAX = 10_000;

interface ListOptions extends JsonOption {
  limit: string;
  operator?: string;
  act?: string;
  subject?: string;
}

export function auditCommand(): Command {
  const audit = new Command('audit').description(
    'read the log of what operators did, and check it',
  );
  audit
    .command('list')
    .description('the newest entries first')
    .option('--limit <n>', 'how many', '20')
    .option('--operator <address>', 'only what this person did')
    .option('--act <act>', 'only this kind of act, such as "market create"')
    .option('--subject <subject>', 'only what was done to this')
    .option('--json', 'print JSON, with details and hashes')
    .action(async (options: ListOptions) => {
      const { operator, act, subject } = options;
      const limit = Math.min(ENTRIES_MAX, wholeOf('--limit', options.limit));
      const entries = await asOperator(readEnvironment(), async (ctx) => {
        await tellOutcomes(ctx);
        return listNewestEntries(ctx.db, {
          limit,
          ...(operator === undefined ? {} : { operator }),
          ...(act === undefined ? {} : { act }),
          ...(subject === undefined ? {} : { subject }),
        });
      });
      const rows = entries.map((entry) => ({
        seq: Number(entry.seq),
        at: entry.at.toISOString(),
        operator: entry.operator,
        act: entry.act,
        subject: entry.subject,
        outcome: entry.outcome,
        command: entry.commandId === null ? null : Number(entry.commandId),
        ...(options.json === true
          ? { details: entry.details, hash: entry.hash.toString('hex') }
          : {}),
      }));
      printRows(options, rows, 'Nothing is in the audit log that fits.');
    });
  addHeadCommands(audit);
  return audit;
}
