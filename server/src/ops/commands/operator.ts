// `rialto operator`: signs an operator in at this command line, and out. The operator types a code into their browser,
// where they are signed in with a second factor.
import { hostname, userInfo } from 'node:os';
import { Command } from 'commander';
import {
  askLogin,
  CONFIRM_MINUTES,
  endLogin,
  findLoginOwner,
  readLogin,
} from '../../accounts/command-lines/actions.ts';
import { showCode } from '../../accounts/command-lines/code.ts';
import { originOf, type Context } from '../../platform/context.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { pause } from '../../platform/std/wait.ts';
import { readEnvironment } from '../environment.ts';
import { asOperator } from '../operator.ts';
import { CommandError } from '../trouble.ts';
import { writes } from './admin/acting.ts';
import { removeLoginFile, writeLoginFile } from './admin/login-file.ts';

const POLL_MS = 500;

export function operatorLoginCommand(): Command {
  const operator = new Command('operator').description(
    'sign in at this command line, to act as an operator, and out',
  );
  writes(operator.command('login'), ['cli ask', 'cli confirm'])
    .description('print a code, and wait until an operator types it into their browser')
    .action(() => asOperator(readEnvironment(), login));
  writes(operator.command('logout'), ['cli end', 'session end'])
    .description('end the session of this command line')
    .action(() => asOperator(readEnvironment(), logout));
  return operator;
}

async function login(ctx: Context): Promise<void> {
  const place = { host: hostname(), login: userInfo().username };
  const { id, token, code } = await askLogin(ctx, place);
  console.log(
    `Open ${originOf(ctx)}/accounts/cli/ in a browser where you are signed in as an operator, and type:\n\n` +
      `    ${showCode(code)}\n\nThe code is good for ${CONFIRM_MINUTES} minutes.`,
  );
  const untilMs = performance.now() + (CONFIRM_MINUTES + 1) * MINUTE_MS;
  for (;;) {
    const status = await readLogin(ctx, id);
    if (status === 'confirmed') break;
    if (status !== 'asked' || performance.now() > untilMs) throw notLetIn(status);
    await pause(POLL_MS);
  }
  const email = await findLoginOwner(ctx, token);
  if (email === undefined) throw notLetIn('ended');
  const path = writeLoginFile({ email, token });
  console.log(
    `Signed in as ${email}, for an hour at most; ${path} keeps it. Commands need no --by now.`,
  );
}

function notLetIn(status: string | undefined): CommandError {
  const why = {
    denied: 'The operator denied it.',
    expired: `Nobody typed the code within ${CONFIRM_MINUTES} minutes.`,
  }[status ?? ''];
  return new CommandError(`${why ?? 'It was ended.'} Nothing is signed in here.`);
}

async function logout(ctx: Context): Promise<void> {
  const token = removeLoginFile();
  const wasIn = token !== undefined && (await endLogin(ctx, token));
  console.log(wasIn ? 'Signed out.' : 'Nobody was signed in here.');
}
