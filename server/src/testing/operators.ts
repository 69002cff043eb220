// Operators for tests: people with a role that may act, and a secret.
import { hash } from '@node-rs/argon2';
import type { Operator } from '../accounts/operators/operator.ts';
import { ROLE } from '../accounts/roles.ts';
import type { NewUser } from '../accounts/users/actions.ts';
import type { Context } from '../platform/context.ts';
import { examplePerson, type Person } from './example.ts';

export const EXAMPLE_SECRET = 'svc_operator_ofATestWithoutAnySecrecy0';

/** The cheapest parameters of Argon2. A hash contains its own, so it is verified like any other. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
let cheapHash: Promise<string> | undefined;

/** Gives people the secret above, without checks. */
export async function enrolAsOperators(
  ctx: Pick<Context, 'db'>,
  ...people: readonly { readonly id: number }[]
): Promise<void> {
  cheapHash ??= hash(EXAMPLE_SECRET, CHEAP);
  const secretHash = await cheapHash;
  await ctx.db
    .insertInto('operatorSecrets')
    .values(people.map(({ id }) => ({ userId: id, secretHash })))
    .execute();
}

/** An enrolled person; an owner by default. */
export async function exampleOperator(
  ctx: Context,
  given: Partial<NewUser> = {},
): Promise<Person & Pick<Operator, 'via'>> {
  const person = await examplePerson(ctx, { role: ROLE.owner, ...given });
  await enrolAsOperators(ctx, person);
  return { ...person, via: 'test' };
}
