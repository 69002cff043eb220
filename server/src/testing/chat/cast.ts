// The cast of the chat tests: people and channels by name. Tests take an administrator or a private channel from
// here, so that a name means the same in every suite. System groups have names too: `roleGroupId('role:members')`.
import { ROLE } from '../../accounts/roles.ts';
import type { NewUser } from '../../accounts/users/actions.ts';
import type { Context } from '../../platform/context.ts';
import { examplePerson, type Person } from '../example.ts';

const PEOPLE = {
  owner: { role: ROLE.owner, fullName: 'Olga Owner' },
  admin: { role: ROLE.administrator, fullName: 'Amir Admin' },
  moderator: { role: ROLE.moderator, fullName: 'Mona Moderator' },
  member: { fullName: 'Mina Member' },
  /** A second member, for rights that only one of two members has. */
  other: { fullName: 'Omid Other' },
  guest: { role: ROLE.guest, fullName: 'Gus Guest' },
  ada: { fullName: 'Ada' },
  bob: { fullName: 'Bob' },
  cyd: { fullName: 'Cyd' },
  /** A member who is subscribed to nothing. */
  stranger: { fullName: 'Sam Stranger' },
} as const satisfies Record<string, Partial<NewUser>>;

type CastName = keyof typeof PEOPLE;

/** Creates these people of the cast with `make`, one after the other. */
export async function castPeople<Name extends CastName, P extends Person>(
  make: (given: Partial<NewUser>) => Promise<P>,
  names: readonly Name[],
): Promise<Record<Name, P>> {
  const people: Partial<Record<Name, P>> = {};
  for (const name of names) people[name] = await make(PEOPLE[name]);
  return people as Record<Name, P>;
}

export const castBot = (
  ctx: Context,
  owner: Person,
  given: Partial<NewUser> = {},
): Promise<Person> => examplePerson(ctx, { botType: 1, botOwnerId: owner.id, ...given });

/** The parameters that create a channel of each kind. */
export const CHANNELS = {
  public: { name: 'general' },
  private: { name: 'secret', invite_only: true, history_public_to_subscribers: true },
  /** Subscribers read only messages sent since they joined. */
  protected: { name: 'vault', invite_only: true, history_public_to_subscribers: false },
} as const;
