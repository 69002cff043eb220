// The cast of the chat tests: people and channels by name. A test that needs an administrator or a private channel
// asks for it here, so that the same name means the same in every suite. Groups of roles are asked for by name too:
// `roleGroupId('role:members')`.
import { ROLE } from '../../accounts/roles.ts';
import type { NewUser } from '../../accounts/users/actions.ts';
import type { Context } from '../../platform/context.ts';
import { examplePerson, type Person } from '../example.ts';

const PEOPLE = {
  owner: { role: ROLE.owner, fullName: 'Olga Owner' },
  admin: { role: ROLE.administrator, fullName: 'Amir Admin' },
  moderator: { role: ROLE.moderator, fullName: 'Mona Moderator' },
  member: { fullName: 'Mina Member' },
  /** A second member, for what one may do and the other may not. */
  other: { fullName: 'Omid Other' },
  guest: { role: ROLE.guest, fullName: 'Gus Guest' },
  ada: { fullName: 'Ada' },
  bob: { fullName: 'Bob' },
  cyd: { fullName: 'Cyd' },
  /** A member who is subscribed to nothing. */
  stranger: { fullName: 'Sam Stranger' },
} as const satisfies Record<string, Partial<NewUser>>;

type CastName = keyof typeof PEOPLE;

/** These people of the cast, made by `make` one after the other. */
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

/** What a channel of each kind is made with. */
export const CHANNELS = {
  public: { name: 'general' },
  private: { name: 'secret', invite_only: true, history_public_to_subscribers: true },
  /** Subscribers read only what was sent since they came. */
  protected: { name: 'vault', invite_only: true, history_public_to_subscribers: false },
} as const;
