// `rialto setup`: turns a migrated, empty database into an organization that people can use.
import { Command } from 'commander';
import { accessOperator, listCandidates } from '../../accounts/operators/access.ts';
import { PASSWORD_MAX } from '../../accounts/passwords/rules.ts';
import type { Context } from '../../platform/context.ts';
import { readEnvironment } from '../environment.ts';
import { asOperator } from '../operator.ts';
import { furnish, type SetupReporter } from '../setup/actions.ts';
import {
  readAnswers,
  parseLanguage,
  parseMarket,
  type Prompt,
  type SetupOptions,
} from '../setup/answers.ts';
import { askHidden, askLine, isTerminal } from '../terminal.ts';
import { CommandError } from '../trouble.ts';
import { asCausedBy, asProven, byOption, describeHost, waitMsOf, writes } from './admin/acting.ts';
import { printFields, type JsonOption } from './admin/output.ts';
import { checkGiven, makeFirstOwner, readPassword } from './admin/people.ts';

interface Options extends SetupOptions, JsonOption {
  readonly by?: string;
  readonly passwordFile?: string;
  readonly wait: string;
}

const PASSWORD_TRIES = 3;

export function setupCommand(): Command {
  return writes(new Command('setup'), [
    'user create',
    'operator enrol',
    'password reset_link',
    'org setting',
    'channel create',
    'coin add',
    'market create',
    'market phase',
    'trading_key create',
    'ledger deposit',
  ])
    .description(
      'set up a new installation: owner, organization, channels, a welcome, a first market',
    )
    .option('--organization <name>', 'what the organization is called')
    .option('--language <code>', 'the language of the welcome and of emails: en or fa')
    .option('--email <address>', 'the address that the owner signs in with')
    .option('--name <full name>', "the owner's name, as others see it")
    .option(
      '--password-file <file>',
      'read the owner\'s password from a file, or from "-"; else a link to choose it is printed',
    )
    .option('--market <symbol>', 'make a first market, such as btcusdt')
    .option('--price <decimal>', 'what one coin costs there now')
    .option('--wait <seconds>', 'how long to wait for the engine to make the market', '10')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .addHelpText('after', MORE)
    .action(setUp);
}

const MORE = `
What is not given is asked for, where there is a terminal. The owner is also the first operator: their secret is
printed here, once. On an installation that has an owner, \`rialto setup --by ADDRESS\` adds what is missing.`;

async function setUp(options: Options): Promise<void> {
  const fields: Record<string, string | number> = {};
  const report: SetupReporter = (more) => void Object.assign(fields, more);
  const waitMs = waitMsOf(options.wait);
  try {
    if (options.by === undefined) {
      await asOperator(readEnvironment(), (ctx) => begin(ctx, options, waitMs, report));
    } else {
      const language = parseLanguage(options.language);
      const market = parseMarket(options.market, options.price);
      const { organization, by } = options;
      await asProven({ by }, 'everything', (ctx, operator) =>
        furnish(ctx, operator, { organization, language, market, waitMs }, report),
      );
    }
  } finally {
    // Also after an interrupted setup: its secrets are shown nowhere else.
    if (Object.keys(fields).length > 0) print(options, fields);
  }
}

async function begin(
  ctx: Context,
  options: Options,
  waitMs: number,
  report: SetupReporter,
): Promise<void> {
  const people = await listCandidates(ctx.db);
  if (people.length > 0) throw alreadySetUp(people);
  const ask: Prompt = isTerminal(process.stdin) ? askLine : undefined;
  const answers = await readAnswers(options, ask, ctx.config.ORGANIZATION_NAME);
  const password = await choosePassword(ctx, options, ask !== undefined, answers);
  const { email, name } = answers;
  const made = await makeFirstOwner(ctx, { email, name, role: 'owner', withLink: true }, password);
  report(made as Readonly<Record<string, string>>);
  const operator = await accessOperator(ctx.db, email, describeHost().via);
  await furnish(asCausedBy(ctx, operator), operator, { ...answers, waitMs }, report);
}

function alreadySetUp(people: Awaited<ReturnType<typeof listCandidates>>): CommandError {
  const operator = people.find(({ secret }) => secret === 'enrolled');
  const [somebody] = people;
  return new CommandError(
    `This installation is set up already: ${(operator ?? somebody)?.email ?? ''} runs it. ` +
      (operator === undefined
        ? `They get an operator's secret with \`rialto admin operator enrol ${somebody?.email ?? ''}\`; then \`rialto setup --by\` that address adds what is missing.`
        : `\`rialto setup --by ${operator.email}\` adds what is missing; \`rialto admin\` does everything else.`),
  );
}

async function choosePassword(
  ctx: Context,
  { passwordFile }: Options,
  isAsked: boolean,
  owner: { readonly email: string; readonly name: string },
): Promise<string | undefined> {
  if (passwordFile !== undefined) return readPassword(passwordFile);
  for (let tries = 0; isAsked && tries < PASSWORD_TRIES; tries += 1) {
    const password = await askHidden(
      "The owner's password (empty: a link to choose it is printed): ",
      PASSWORD_MAX,
    );
    if (password === '') return undefined;
    try {
      await checkGiven(ctx, password, owner);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      process.stderr.write(`${error.message}\n`);
      continue;
    }
    if ((await askHidden('Once more: ', PASSWORD_MAX)) === password) return password;
    process.stderr.write('They differ.\n');
  }
  if (!isAsked) return undefined;
  throw new CommandError('No password was chosen. Nothing was done.');
}

function print(options: JsonOption, fields: Readonly<Record<string, string | number>>): void {
  printFields(options, fields);
  if (options.json === true) return;
  if ('operator_secret' in fields || 'trading_secret_key' in fields) {
    console.log('\nKeep the secrets now: they are not shown again.');
  }
  console.log(NEXT);
}

const NEXT = `
Next: start the server with \`rialto serve\` if it does not run, sign in with a browser at the address above, and invite
people or make them with \`rialto admin create-user\`. \`rialto doctor\` tells what is still missing.`;
