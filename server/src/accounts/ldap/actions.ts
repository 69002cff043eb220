// Signing in with the password that a directory knows. The account here is found by its address, and made when
// the configuration says so.
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { isEmail } from '../email.ts';
import type { Guard, Proof } from '../passwords/actions.ts';
import { ROLE } from '../roles.ts';
import { findUserByEmail } from '../users/access.ts';
import type { NewUser } from '../users/actions.ts';
import { checkFullName } from '../users/rules.ts';
import type { User } from '../user.ts';
import { checkEntryPassword, DirectoryAway, findEntry, type DirectoryEntry } from './client.ts';
import { directorySettings, hasDirectory, type DirectorySettings } from './settings.ts';

/** Makes a person with everything that the product gives a new one. */
export type CreatePerson = (ctx: Context, fresh: NewUser) => Promise<{ user: User }>;

const NAME_CHARACTERS_MAX = 254;

/** How to prove who one is to the directory; undefined where there is none. */
export function directoryProof(ctx: Context, create: CreatePerson): Proof | undefined {
  if (!hasDirectory(ctx.config)) return undefined;
  const settings = directorySettings(ctx.config);
  return async (name, password, guard) => {
    try {
      return await prove(ctx, settings, create, { name, password, guard });
    } catch (error) {
      if (error instanceof DirectoryAway) {
        ctx.log.warn({ err: error.cause, url: settings.url }, 'The directory could not be asked.');
      }
      throw error;
    }
  };
}

async function prove(
  ctx: Context,
  settings: DirectorySettings,
  create: CreatePerson,
  { name, password, guard }: { name: string; password: string; guard: Guard },
): Promise<User | undefined> {
  // Whatever it is, it is not asked for: a name without end, or no password, which directories take for yes.
  if (name === '' || name.length > NAME_CHARACTERS_MAX || password === '') return undefined;
  const search = await findEntry(settings, name);
  if (search.kind === 'ambiguous') {
    ctx.log.warn({ base: settings.base }, 'The directory has several people of one name.');
  }
  if (search.kind !== 'found') return undefined;
  const { entry } = search;
  // The directory takes many spellings for one person; guesses are counted for the person.
  await guard(`directory ${entry.dn.toLowerCase()}`);
  if (!(await checkEntryPassword(settings, entry, password))) return undefined;
  if (!isEmail(entry.email)) {
    ctx.log.warn(
      { dn: entry.dn, attribute: settings.emailAttribute },
      'The directory knows no usable address of somebody who signed in.',
    );
    return undefined;
  }
  const user = await findUserByEmail(ctx.db, entry.email);
  if (user !== undefined) return user.botType === null ? user : undefined;
  if (!settings.createsAccounts) {
    ctx.log.info({ dn: entry.dn }, 'Somebody in the directory has no account here.');
    return undefined;
  }
  return makePerson(ctx, create, entry);
}

async function makePerson(
  ctx: Context,
  create: CreatePerson,
  entry: DirectoryEntry,
): Promise<User | undefined> {
  const fresh = { email: entry.email, fullName: nameOf(entry), role: ROLE.member };
  try {
    return (await create(ctx, fresh)).user;
  } catch (error) {
    // Somebody signs in for the first time in two places at once: whoever comes second finds the account.
    const user = await findUserByEmail(ctx.db, entry.email);
    if (error instanceof Refusal && user?.botType === null) return user;
    throw error;
  }
}

/** The directory's name for the person if it can be one here, else what stands before the @. */
function nameOf({ name, email }: DirectoryEntry): string {
  for (const text of [name, email.split('@', 1)[0] ?? '', 'New member']) {
    try {
      return checkFullName(text);
    } catch {
      // The next one.
    }
  }
  return 'New member';
}
