// `rialto admin audit` and `rialto admin operator`: who may act, and who did.
import { Command } from 'commander';
import { listNewestEntries, verifyAuditLog } from '../../../accounts/audit/access.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { listOperators, listUnaudited } from '../../../trading/operators/access.ts';
import { tellOutcomes } from '../../../trading/operators/actions.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { wholeOf } from './acting.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

const ENTRIES_MAX = 10_000;
const EXPECTED = /^(\d{1,18}):([0-9a-f]{64})$/;

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
  audit
    .command('verify')
    .description('follow the chain of hashes from the first entry to the last')
    .option(
      '--expect <seq:hash>',
      'an end that was printed earlier; shows whether entries were cut off since',
    )
    .option('--json', 'print JSON')
    .action((options: JsonOption & { expect?: string }) => verify(options));
  return audit;
}

async function verify(options: JsonOption & { expect?: string }): Promise<void> {
  const expected = options.expect === undefined ? undefined : EXPECTED.exec(options.expect);
  if (expected === null) {
    throw new CommandError(
      '--expect must be what an earlier `audit verify` printed as "end": a number, a colon and 64 digits.',
    );
  }
  const { chain, unaudited, atExpected } = await asOperator(readEnvironment(), async (ctx) => ({
    chain: await verifyAuditLog(ctx.db),
    unaudited: await listUnaudited(ctx.db, 1),
    atExpected: expected && (await verifyAuditLog(ctx.db, BigInt(expected[1] ?? '0'))),
  }));
  const trouble = troubleOf();
  printFields(options, {
    entries: Number(chain.seq),
    whole: trouble === undefined,
    // Kept outside the database, it proves later that nothing was cut off.
    end: `${chain.seq}:${chain.hash.toString('hex')}`,
    ...(trouble === undefined ? {} : { trouble }),
  });
  if (trouble !== undefined) process.exitCode = 1;

  function troubleOf(): string | undefined {
    if (chain.trouble !== undefined) {
      return `Entry ${chain.trouble.seq} is wrong: ${chain.trouble.what}. Everything before it is as it was written.`;
    }
    if (expected && atExpected?.hash.toString('hex') !== expected[2]) {
      return `The log does not reach the expected end, entry ${expected[1]}: entries were cut off or written anew.`;
    }
    const [missing] = unaudited;
    return missing === undefined
      ? undefined
      : `Command ${missing} of an operator is not in the log: entries were cut off, or it came another way.`;
  }
}

export function operatorCommand(): Command {
  const operator = new Command('operator').description('who may act for the venue');
  operator
    .command('list')
    .description('list the owners and administrators who are active')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const people = await asOperator(readEnvironment(), (ctx) => listOperators(ctx.db));
      const rows = people.map(({ id, email, fullName, role }) => ({
        id,
        email,
        name: fullName,
        role: Object.entries(ROLE).find(([, code]) => code === role)?.[0] ?? '',
      }));
      printRows(
        options,
        rows,
        'There is none; make one with `rialto admin create-user --role owner`.',
      );
    });
  return operator;
}
