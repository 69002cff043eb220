// `rialto admin audit sign`, `head`, `heads`, `key`, `export` and `verify`: signs the end of the audit log, and
// checks the whole log against what was signed.
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import {
  findNewestHead,
  listAuditHeads,
  pagesOfLog,
  verifyAuditLog,
} from '../../../accounts/audit/access.ts';
import type { ChainedEntry } from '../../../accounts/audit/entry.ts';
import { parseLine, toLine } from '../../../accounts/audit/export.ts';
import {
  isKey,
  keyIdOf,
  publicKeyOf,
  parsePublished,
  toPublished,
  type AuditHead,
} from '../../../accounts/audit/head.ts';
import { signLog } from '../../../accounts/audit/heads.ts';
import { verifyLog, type AuditVerdict } from '../../../accounts/audit/verify.ts';
import type { Context } from '../../../platform/context.ts';
import { listUnaudited } from '../../../trading/operators/access.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { writes } from './acting.ts';
import { printFields, type JsonOption } from './output.ts';

const EXPECTED = /^(\d{1,18}):([0-9a-f]{64})$/;

interface VerifyOptions extends JsonOption {
  expect?: string;
  head?: string[];
  publicKey?: string[];
  file?: string;
}

const NO_KEY =
  'AUDIT_SIGNING_KEY is empty, so nothing can be signed. `rialto audit-key` makes a key.';

export function addHeadCommands(audit: Command): void {
  writes(audit.command('sign'), { none: 'nothing' })
    .description('sign the head of the log now, and print it as it is published')
    .action(async () => {
      const head = await asOperator(readEnvironment(), async (ctx) => {
        if (ctx.config.AUDIT_SIGNING_KEY === '') throw new CommandError(NO_KEY);
        return signLog(ctx);
      });
      if (head === undefined) throw new CommandError('The log has no entry yet.');
      printHead(head);
    });
  audit
    .command('head')
    .description('print the newest signed head, as it is published')
    .action(async () => {
      const head = await asOperator(readEnvironment(), (ctx) => findNewestHead(ctx.db));
      if (head === undefined) throw new CommandError('No head was signed yet.');
      printHead(head);
    });
  audit
    .command('heads')
    .description('print every signed head, one a line, the oldest first')
    .action(async () => {
      const heads = await asOperator(readEnvironment(), (ctx) => listAuditHeads(ctx.db));
      for (const head of heads) printHead(head);
    });
  audit
    .command('key')
    .description('print the public key that goes with AUDIT_SIGNING_KEY')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const key = await asOperator(
        readEnvironment(),
        async ({ config }) => config.AUDIT_SIGNING_KEY,
      );
      if (key === '') throw new CommandError(NO_KEY);
      const publicKey = publicKeyOf(key);
      printFields(options, { public_key: publicKey, key_id: keyIdOf(publicKey) });
    });
  audit
    .command('export')
    .description('print the whole log, an entry a line, for `verify --file` without the database')
    .action(() =>
      asOperator(readEnvironment(), async (ctx) => {
        for await (const page of pagesOfLog(ctx.db)) {
          process.stdout.write(`${page.map(toLine).join('\n')}\n`);
        }
      }),
    );
  audit
    .command('verify')
    .description('follow the chain of hashes, and hold it against heads that were published')
    .option('--head <files...>', 'files with published heads, one a line; "-" reads stdin')
    .option('--public-key <keys...>', 'who signed them; else the half of AUDIT_SIGNING_KEY')
    .option('--file <file>', 'a log as `audit export` printed it; the database is not asked')
    .option(
      '--expect <seq:hash>',
      'an end that was printed earlier; shows whether entries were cut off since',
    )
    .option('--json', 'print JSON')
    .action((options: VerifyOptions) => verify(options));
}

const printHead = (head: AuditHead): void => console.log(JSON.stringify(toPublished(head)));

async function verify(options: VerifyOptions): Promise<void> {
  const { chain, trouble, headsFit } =
    options.file === undefined
      ? await asOperator(readEnvironment(), (ctx) => verifyDatabase(ctx, options))
      : await verifyFile(options.file, options);
  printFields(options, {
    entries: Number(chain.seq),
    whole: trouble === undefined,
    heads: headsFit,
    // Kept outside the database, it proves later that nothing was cut off.
    end: `${chain.seq}:${chain.hash.toString('hex')}`,
    ...(trouble === undefined ? {} : { trouble }),
  });
  if (trouble !== undefined) process.exitCode = 1;
}

interface Found {
  readonly chain: AuditVerdict['end'];
  readonly headsFit: number;
  readonly trouble: string | undefined;
}

const foundBy = ({ end, headsFit, trouble }: AuditVerdict): Found => ({
  chain: end,
  headsFit,
  trouble,
});

async function verifyFile(file: string, options: VerifyOptions): Promise<Found> {
  if (options.expect !== undefined) {
    throw new CommandError('--expect is for the database; give --head with --file.');
  }
  const heads = readHeads(options.head ?? []);
  const keys = checkKeys(options);
  if (heads.length > 0 && keys.length === 0) {
    throw new CommandError('Give --public-key, so that the signature of --head can be checked.');
  }
  return foundBy(await verifyLog(pagesOfFile(file), heads, keys));
}

/** Against the given heads; without any, against the stored ones, if the key is known. */
async function verifyDatabase(ctx: Context, options: VerifyOptions): Promise<Found> {
  const expected = expectedOf(options);
  const { AUDIT_SIGNING_KEY: own } = ctx.config;
  const given = checkKeys(options);
  const keys = given.length > 0 || own === '' ? given : [publicKeyOf(own)];
  if (options.head !== undefined && keys.length === 0) {
    throw new CommandError('Give --public-key, so that the signature of --head can be checked.');
  }
  const heads =
    options.head === undefined
      ? (await listAuditHeads(ctx.db)).filter(({ keyId }) =>
          keys.some((key) => keyIdOf(key) === keyId),
        )
      : readHeads(options.head);
  const found = foundBy(await verifyLog(pagesOfLog(ctx.db), heads, keys));
  if (found.trouble !== undefined) return found;
  if (expected !== undefined) {
    const [seq, hash] = expected;
    const at = await verifyAuditLog(ctx.db, BigInt(seq));
    if (at.hash.toString('hex') !== hash) {
      const trouble = `The log does not reach the expected end, entry ${seq}: entries were cut off or rewritten.`;
      return { ...found, trouble };
    }
  }
  const [missing] = await listUnaudited(ctx.db, 1);
  const trouble =
    missing === undefined
      ? undefined
      : `Command ${missing} of an operator is not in the log: entries were cut off, or it came another way.`;
  return { ...found, trouble };
}

function expectedOf({ expect }: VerifyOptions): readonly [string, string] | undefined {
  if (expect === undefined) return undefined;
  const [, seq, hash] = EXPECTED.exec(expect) ?? [];
  if (seq !== undefined && hash !== undefined) return [seq, hash];
  throw new CommandError(
    '--expect must be what an earlier `audit verify` printed as "end": a number, a colon and 64 digits.',
  );
}

function checkKeys({ publicKey = [] }: VerifyOptions): readonly string[] {
  const wrong = publicKey.find((key) => !isKey(key));
  if (wrong === undefined) return publicKey;
  throw new CommandError(
    `--public-key must be 43 characters as \`rialto audit-key\` prints them, not "${wrong}".`,
  );
}

function readHeads(files: readonly string[]): AuditHead[] {
  return files.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file === '-' ? 0 : file, 'utf8');
    } catch (error) {
      throw new CommandError(`--head cannot be read: ${(error as Error).message}.`);
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 0) throw new CommandError(`${file} holds no head.`);
    return lines.map((line) => {
      const head = headIn(line);
      if (head !== undefined) return head;
      throw new CommandError(
        `${file} holds something else than a head as it is published: ${line.slice(0, 100)}`,
      );
    });
  });
}

/** A head by itself, or in the answer of /v1/public/audit_head. */
function headIn(line: string): AuditHead | undefined {
  try {
    const value = JSON.parse(line) as { readonly result?: unknown };
    return parsePublished(value) ?? parsePublished(value.result);
  } catch {
    return undefined;
  }
}

const PAGE = 1000;

async function* pagesOfFile(file: string): AsyncGenerator<ChainedEntry[], void> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Infinity });
  let page: ChainedEntry[] = [];
  let count = 0;
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue;
      count += 1;
      const entry = parseLine(line);
      if (entry === undefined) throw new CommandError(`Line ${count} of ${file} is no entry.`);
      page.push(entry);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`--file cannot be read: ${(error as Error).message}.`);
  }
  if (page.length > 0) yield page;
}
