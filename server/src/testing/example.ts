// Valid objects with defaults: a test gives only the values that it is about.
import type { NewUser } from '../accounts/users/actions.ts';
import { ROLE } from '../accounts/roles.ts';
import type { User } from '../accounts/users/store.ts';
import { createPerson } from '../chat/administration/users/actions.ts';
import type { Context } from '../platform/context.ts';

let count = 0;

export interface Person extends User {
  readonly chatKey: string;
  /** The Authorization header for the chat API. */
  readonly basic: string;
}

export async function examplePerson(ctx: Context, given: Partial<NewUser> = {}): Promise<Person> {
  count += 1;
  const { user, chatKey } = await createPerson(ctx, {
    email: `person${count}@example.com`,
    fullName: `Person ${count}`,
    role: ROLE.member,
    ...given,
  });
  const basic = `Basic ${Buffer.from(`${user.email}:${chatKey}`).toString('base64')}`;
  return { ...user, chatKey, basic };
}
