// Operators for tests: people with a role that may act and a secret, and people with grants.
import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Grant } from '../accounts/operators/grants.ts';
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
): Promise<Person & Operator> {
  const person = await examplePerson(ctx, { role: ROLE.owner, ...given });
  await enrolAsOperators(ctx, person);
  return { ...person, via: 'test', proof: 'secret' };
}

/** Gives a person grants, as if two others had agreed on each. */
export async function grantTo(
  ctx: Context,
  person: { readonly id: number },
  ...grants: readonly Grant[]
): Promise<void> {
  const [asked, approved] = [await examplePerson(ctx), await examplePerson(ctx)];
  for (const name of grants) {
    const { id: requestId } = await ctx.db
      .insertInto('operatorRequests')
      .values({
        subjectId: person.id,
        name,
        reason: 'For a test.',
        requestedById: asked.id,
        decidedById: approved.id,
        status: 'approved',
        expiresAt: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('operatorGrants')
      .values({ userId: person.id, name, requestId })
      .execute();
  }
}

/** Gives a person a passkey that opens nothing: they count as somebody with a second factor. */
export async function addExampleFactor(
  ctx: Pick<Context, 'db'>,
  { id }: { readonly id: number },
): Promise<void> {
  await ctx.db
    .insertInto('passkeys')
    .values({
      credential: randomBytes(32),
      userId: id,
      publicKey: randomBytes(64),
      counter: 0n,
      alone: false,
      backedUp: false,
      label: 'of a test',
    })
    .execute();
}

/** A person with grants and a second factor, acting in a session. */
export async function exampleGranted(
  ctx: Context,
  ...grants: readonly Grant[]
): Promise<Person & Operator> {
  const person = await examplePerson(ctx);
  await grantTo(ctx, person, ...grants);
  await addExampleFactor(ctx, person);
  return { ...person, via: 'session', proof: 'session' };
}
