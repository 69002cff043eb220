// `rialto admin operator grant` and its neighbours: what operators may do. One asks, another one approves; while fewer than
// two people have `everything`, the host's command line gives grants.
import type { Command } from 'commander';
import {
  approveGrant,
  askGrant,
  giveGrantAtHost,
  listGrantRequests,
  parseRequestId,
  rejectGrant,
  revokeGrant,
} from '../../../accounts/operators/grant-actions.ts';
import { GRANTS, parseGrant, type Grant } from '../../../accounts/operators/grants.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { asProven, byOption, describeHost, writes, type ByOption } from './acting.ts';
import { readLoginFile } from './login-file.ts';
import { printFields, printRows, type JsonOption } from './output.ts';

const NAMES = GRANTS.join(', ');

type GrantOptions = JsonOption & ByOption & { reason?: string };
type DecideOptions = JsonOption & ByOption & { digest: string };

export function addGrantCommands(operator: Command): void {
  writes(operator.command('grant'), ['operator grant', 'operator request'])
    .argument('<address>', 'who gets it')
    .argument('<grant>', `one of ${NAMES}`)
    .description("ask for a grant of somebody else; another person with 'everything' must approve")
    .option('--reason <text>', 'the reason; recorded in the audit log')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(grant);
  writes(operator.command('ungrant'), ['operator ungrant'])
    .argument('<address>', 'who loses it')
    .argument('<grant>', `one of ${NAMES}`)
    .description("take a grant away, at once; two people keep 'everything'")
    .requiredOption('--reason <text>', 'the reason; recorded in the audit log')
    .addOption(byOption())
    .option('--json', 'print JSON')
    .action(async (email: string, name: string, options: GrantOptions & { reason: string }) => {
      const terms = { email, grant: grantOf(name), reason: options.reason };
      await asProven(options, 'everything', (ctx, by) => revokeGrant(ctx, by, terms));
      printFields(options, { email, grant: name, status: 'revoked' });
    });
  operator
    .command('requests')
    .description('list requests for grants that wait, with the digest that approving repeats')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const waiting = await asOperator(readEnvironment(), listGrantRequests);
      const rows = waiting.map(({ requestId, subject, terms, requestedBy, reason, digest }) => ({
        request: requestId,
        subject,
        grant: String(terms['grant']),
        by: requestedBy,
        reason,
        digest,
      }));
      printRows(options, rows, 'Nothing waits.');
    });
  for (const verb of ['approve-grant', 'reject-grant'] as const) {
    const isApproval = verb === 'approve-grant';
    writes(operator.command(verb), ['operator decide', 'operator grant'])
      .argument('<request>', 'such as grant-3')
      .description(isApproval ? 'give the grant that another operator asked for' : 'end a request')
      .requiredOption('--digest <hex>', 'as `operator requests` shows it')
      .addOption(byOption())
      .option('--json', 'print JSON')
      .action(async (text: string, options: DecideOptions) => {
        const id = parseRequestId(text);
        if (id === undefined) throw new CommandError(`"${text}" is no request, such as grant-3.`);
        const decide = isApproval ? approveGrant : rejectGrant;
        const { subject, status } = await asProven(options, 'everything', (ctx, by) =>
          decide(ctx, by, { id, digest: options.digest }),
        );
        printFields(options, { request: text, subject, status });
      });
  }
}

async function grant(email: string, name: string, options: GrantOptions): Promise<void> {
  const wanted = grantOf(name);
  if (options.by === undefined && readLoginFile() === undefined) {
    await asOperator(readEnvironment(), (ctx) =>
      giveGrantAtHost(ctx, describeHost(), { email, grant: wanted }),
    );
    printFields(options, { email, grant: name, status: 'given' });
    return;
  }
  const terms = { email, grant: wanted, reason: options.reason ?? '' };
  const { requestId, digest } = await asProven(options, 'everything', (ctx, by) =>
    askGrant(ctx, by, terms),
  );
  printFields(options, {
    request: requestId,
    email,
    grant: name,
    status: 'awaiting_approval',
    digest,
  });
}

function grantOf(text: string): Grant {
  const found = parseGrant(text);
  if (found !== undefined) return found;
  throw new CommandError(`The grant must be one of ${NAMES}, not "${text}".`);
}
