// The command line: `rialto serve` and the operators' commands. Each command lives in ops/commands; a mistake that
// the operator can fix is explained, without a stack trace.
import { Command, Option } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import type { FetchLogOptions } from './ops/commands/fetch-log.ts';
import type { VerifyLogOptions } from './ops/commands/verify-log.ts';
import type { VerifyReceiptOptions } from './ops/commands/verify-receipt.ts';
import type { VerifyReservesOptions } from './ops/commands/verify-reserves.ts';
import { readEnvironment, readEnvironmentWithSources } from './ops/environment.ts';
import { CommandError, explain } from './ops/trouble.ts';
import { ROLES } from './platform/config/schema.ts';

const program = new Command('rialto')
  .description('A cryptocurrency trading venue and a Zulip-compatible team chat in one server.')
  .version(manifest.version)
  .showHelpAfterError('Run `rialto --help` to see every command.');

program
  .command('serve')
  .description('run the server until SIGTERM or SIGINT')
  .addOption(
    new Option(
      '--roles <list>',
      `which roles this process runs, comma-separated, of ${ROLES.join(', ')} (over ROLES)`,
    ),
  )
  .option('--port <number>', 'the port of both APIs and the web page (over PORT)')
  .option('--migrate', 'bring the database up to date first')
  .action(async (options: { roles?: string; port?: string; migrate?: boolean }) => {
    const { serve } = await import('./ops/commands/serve.ts');
    await serve(readEnvironment(), options);
  });

program
  .command('migrate')
  .description('bring the database up to date')
  .action(async () => {
    const { runMigrate } = await import('./ops/commands/migrate.ts');
    for (const line of await runMigrate(readEnvironment())) console.log(line);
  });

program
  .command('doctor')
  .description('find what is wrong, why it matters and what to do')
  .option('--json', 'print the findings as JSON')
  .action(async (options: { json?: boolean }) => {
    const { runDoctor } = await import('./ops/doctor/run.ts');
    const { text, isHealthy } = await runDoctor(readEnvironment(), options.json === true);
    console.log(text);
    if (!isHealthy) process.exitCode = 1;
  });

program
  .command('web-push-keys')
  .description('make the pair of keys with which browsers are notified')
  .action(async () => {
    const { renderWebPushKeys } = await import('./ops/commands/web-push-keys.ts');
    console.log(renderWebPushKeys());
  });

program
  .command('audit-key')
  .description('make the key that signs the head of the audit log')
  .action(async () => {
    const { renderAuditKey } = await import('./ops/commands/audit-key.ts');
    console.log(renderAuditKey());
  });

// These four are for everybody, not only for operators: they need no database and no settings.
program
  .command('verify-log <files...>')
  .description('check files of a public log: the chain, the signatures, and every book and trade')
  .option(
    '--key <file>',
    "the venue's keys, as /v1/public/signing_keys answers them, or one as PEM",
  )
  .option('--from-seq <number>', 'begin with the first checkpoint at or after this event')
  .option('--head <file>', 'signed heads that were kept from earlier, one on each line')
  .option('--json', 'print the verdict as JSON')
  .action(async (files: string[], options: VerifyLogOptions & { json?: boolean }) => {
    const { renderVerdict, verifyLogFiles } = await import('./ops/commands/verify-log.ts');
    const verdict = await verifyLogFiles(files, options);
    console.log(options.json === true ? JSON.stringify(verdict) : renderVerdict(verdict));
    if (!verdict.ok) process.exitCode = 1;
  });

program
  .command('verify-receipt <file>')
  .description('check the receipt of an order, alone or against a public log')
  .requiredOption(
    '--key <file>',
    "the venue's keys, as /v1/public/signing_keys answers them, or one as PEM",
  )
  .option('--log <files...>', 'files of the public log that hold the order')
  .option('--order <file>', 'the parameters of the order as they were sent, as JSON')
  .action(async (file: string, options: VerifyReceiptOptions) => {
    const { renderReceipt, verifyReceiptFile } = await import('./ops/commands/verify-receipt.ts');
    const { receipt, verdict } = await verifyReceiptFile(file, options);
    console.log(renderReceipt(receipt, verdict));
    if (!verdict.ok) process.exitCode = 1;
  });

program
  .command('verify-reserves [file]')
  .description('check the leaves of an account in a proof of reserves, without a connection')
  .option('--publication <file>', 'the publication, as /v1/public/reserves answers it')
  .option(
    '--addresses <file>',
    'check the signatures of addresses too, as /v1/public/reserve_addresses answers them',
  )
  .action(async (file: string | undefined, options: VerifyReservesOptions) => {
    const { verifyReserves } = await import('./ops/commands/verify-reserves.ts');
    const { text, isRight } = verifyReserves(file, options);
    console.log(text);
    if (!isRight) process.exitCode = 1;
  });

program
  .command('fetch-log <url>')
  .description('download the public log of a venue, from a checkpoint to a signed head')
  .option(
    '--from <number>',
    'from the checkpoint at or before this event; from the beginning if absent',
  )
  .option(
    '--to <number>',
    'to the first signed head at or after this event; to the newest if absent',
  )
  .requiredOption('--out <file>', 'the file to write')
  .action(async (url: string, options: FetchLogOptions) => {
    const { fetchLog } = await import('./ops/commands/fetch-log.ts');
    const lines = await fetchLog(url, options);
    console.log(
      `${options.out}: ${lines} lines. Check them with rialto verify-log ${options.out}.`,
    );
  });

program
  .command('signing-key')
  .description('make the key that signs the public log and the receipts of orders')
  .action(async () => {
    const { renderSigningKey } = await import('./ops/commands/signing-key.ts');
    console.log(renderSigningKey());
  });

// Listed here only: the launcher starts it without loading the server.
program
  .command('signer')
  .description('hold the seed of the venue, judge transactions and sign them: a program of its own')
  .action(() => {
    throw new CommandError('Start the signer by the launcher: `rialto signer --help`.');
  });

program
  .command('config')
  .description('print every setting as it is in force, where it comes from, and what is wrong')
  .option('--defaults', 'print every setting with its default and purpose, as a Markdown table')
  .option('--json', 'print what is in force as JSON')
  .action(async (options: { defaults?: boolean; json?: boolean }) => {
    const { renderConfig, renderSettings, reportConfig } = await import('./ops/commands/config.ts');
    if (options.defaults === true) {
      console.log(renderSettings());
      return;
    }
    const { environment, fromFile } = readEnvironmentWithSources();
    const report = reportConfig(environment, fromFile);
    console.log(options.json === true ? JSON.stringify(report) : renderConfig(report));
    if (report.problems.length > 0) process.exitCode = 1;
  });

// Operators' commands bring much of the server along: one is loaded when it is asked for, and all of them for a list.
const [asked, noun] = process.argv.slice(2);
const LATER: Readonly<Record<string, () => Promise<Command>>> = {
  setup: async () => (await import('./ops/commands/setup.ts')).setupCommand(),
  admin: async () =>
    (await import('./ops/commands/admin.ts')).adminCommand(asked === 'admin' ? noun : undefined),
  archive: async () => (await import('./ops/commands/archive.ts')).archiveCommand(),
  operator: async () => (await import('./ops/commands/operator.ts')).operatorLoginCommand(),
  journal: async () => (await import('./ops/commands/journal.ts')).journalCommand(),
};
const isKnown = asked === '--version' || program.commands.some((one) => one.name() === asked);
for (const [name, load] of Object.entries(LATER)) {
  const isAsked = asked === undefined || !Object.hasOwn(LATER, asked) || asked === name;
  if (!isKnown && isAsked) program.addCommand(await load());
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  // Resources that a failed command left open must not keep it alive.
  process.exit(1);
}
