// `rialto admin operator`: who may act for the venue, and how they authenticate.
import { Command } from 'commander';
import { listCandidates, listGrants, type Candidate } from '../../../accounts/operators/access.ts';
import {
  approveEnrolment,
  changeOperatorSecret,
  enrolOperator,
  revokeOperator,
} from '../../../accounts/operators/actions.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { findUser } from '../../../accounts/users/access.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { asProven, byOption, describeHost, writes, type ByOption } from './acting.ts';
import { addGrantCommands } from './grants.ts';
import { printFields, printRows, type OutputFields, type JsonOption } from './output.ts';

type ProvenOptions = JsonOption & ByOption;

export function operatorCommand(): Command {
  const operator = new Command('operator').description('who may act for the venue');
  operator
    .command('list')
    .description('list everybody who may act, their grants, and whether they have a secret')
    .option('--json', 'print JSON')
    .action(list);
  writes(operator.command('enrol'), ['operator enrol'])
    .argument('<address>', 'who; an owner or an administrator')
    .description('make a secret for yourself; other operators must agree before it is good')
    .option('--json', 'print JSON')
    .action(enrol);
  writes(proven(operator.command('approve')), ['operator approve'])
    .argument('<address>', 'who asked to be enrolled')
    .description("agree to another person's secret, having heard its fingerprint from them")
    .requiredOption('--fingerprint <letters>', 'what that person was shown')
    .action(async (email: string, options: ProvenOptions & { fingerprint: string }) => {
      const status = await asProven(options, 'everything', (ctx, by) =>
        approveEnrolment(ctx, by, email, options.fingerprint.trim().toLowerCase()),
      );
      const message =
        status === 'enrolled' ? 'They are an operator now.' : 'One more operator must agree.';
      printFields(options, { email, status, message });
    });
  writes(proven(operator.command('change-secret')), ['operator change_secret'])
    .description('get a new secret in place of your own')
    .action(async (options: ProvenOptions) => {
      const fields = await asProven(options, 'everything', async (ctx, by) => ({
        email: by.email,
        operator_secret: await changeOperatorSecret(ctx, by),
      }));
      printSecret(options, fields);
    });
  writes(proven(operator.command('revoke')), ['operator revoke'])
    .argument('<address>', 'whose')
    .description('take the secret of an operator away, at once')
    .action(async (email: string, options: ProvenOptions) => {
      await asProven(options, 'everything', (ctx, by) => revokeOperator(ctx, by, email));
      printFields(options, { email, status: 'revoked' });
    });
  addGrantCommands(operator);
  return operator;
}

const proven = (command: Command): Command =>
  command.addOption(byOption()).option('--json', 'print JSON');

async function list(options: JsonOption): Promise<void> {
  const rows = await asOperator(readEnvironment(), async ({ db }) => {
    const grants = Map.groupBy(await listGrants(db), ({ userId }) => userId);
    const candidates = await listCandidates(db);
    // Somebody with a grant is listed too, whatever their role is.
    const others: Candidate[] = [];
    for (const userId of grants.keys()) {
      const user = candidates.some(({ id }) => id === userId)
        ? undefined
        : await findUser(db, userId);
      if (user !== undefined) others.push({ ...user, secret: 'none' });
    }
    return [...candidates, ...others].map(({ id, email, fullName, role, secret }) => ({
      id,
      email,
      name: fullName,
      role: Object.entries(ROLE).find(([, code]) => code === role)?.[0] ?? '',
      secret,
      grants: (grants.get(id) ?? []).map(({ name }) => name).join(' '),
    }));
  });
  printRows(options, rows, 'There is none; make one with `rialto admin create-user --role owner`.');
}

async function enrol(address: string, options: JsonOption): Promise<void> {
  const { email, secret, fingerprint, status, approvals } = await asOperator(
    readEnvironment(),
    (ctx) => enrolOperator(ctx, describeHost(), address),
  );
  const who = approvals === 1 ? 'One other operator' : 'Two other operators';
  printSecret(options, {
    email,
    status,
    operator_secret: secret,
    fingerprint,
    message:
      status === 'enrolled'
        ? 'They are an operator now.'
        : `${who} must agree. Read the fingerprint out to them; each runs: ` +
          `rialto admin operator approve ${email} --fingerprint ${fingerprint} --by THEIR_ADDRESS`,
  });
}

function printSecret(options: JsonOption, fields: OutputFields): void {
  printFields(options, fields);
  if (options.json !== true) console.log('\nKeep the secret now: it is not shown again.');
}
