// What the routes of the administration share: parameters that many have, and the answer to an act.
import { Type, type Static } from 'typebox';
import type { TradingContext } from '../context.ts';
import { awaitCommand } from '../operators/actions.ts';
import { describeCommand } from '../operators/explain.ts';
import { digestOfCommand, requestIdOf } from '../operators/pending.ts';
import { Choice } from '../values.ts';

export const Reason = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Why, in words that an auditor will understand later.',
});

export const Email = Type.String({
  maxLength: 320,
  description: 'The email address of a person.',
  examples: ['mia@example.com'],
});

export const Account = Type.String({
  maxLength: 320,
  description: "A trading account: its number, or its owner's email address.",
  examples: ['1001'],
});

export const Requested = Type.Object(
  {
    requestId: Type.String({
      description: 'Names the request, for /pending, /approve and /reject.',
      examples: ['command-17'],
    }),
    status: Choice(
      ['awaiting_approval', 'waiting', 'done', 'refused', 'withdrawn'],
      '`awaiting_approval`: a second operator must approve. `waiting`: the engine has not answered yet.',
    ),
    digest: Type.String({
      description: 'SHA-256 of what was asked for, as the approver is shown it.',
    }),
    message: Type.String({ description: 'The same in a sentence.' }),
  },
  { title: 'Requested' },
);

/** How long an answer waits for the engine. */
const ENGINE_MS = 5000;

/** Lets `ask` send a command, and answers what came of it. */
export async function answerAct(
  ctx: TradingContext,
  ask: Promise<bigint>,
): Promise<Static<typeof Requested>> {
  const command = await awaitCommand(ctx, await ask, ENGINE_MS);
  return {
    requestId: requestIdOf(command),
    status: command.status,
    digest: digestOfCommand(command),
    message: describeCommand(command),
  };
}
