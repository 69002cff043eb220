// Signing in with a password that the directory checks.
import type { Context } from '../../platform/context.ts';
import { pause } from '../../platform/std/wait.ts';
import { isEmail } from '../email.ts';
import type { Guard, Proof } from '../passwords/actions.ts';
import { entryText } from '../sign-in/lanes.ts';
import type { User } from '../user.ts';
import {
  checkEntryPassword,
  DirectoryAway,
  findDirectoryEntry,
  type DirectoryEntry,
} from './client.ts';
import { findPersonOf, type CreatePerson } from './identity.ts';
import { directorySettings, hasDirectory, type DirectorySettings } from './settings.ts';
import { BindTimes } from './times.ts';

const NAME_CHARACTERS_MAX = 254;

const times = new BindTimes();

/** How people authenticate with the directory; undefined where there is none. */
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
  // The directory is not asked about an overlong name or an empty password, which directories
  // accept.
  if (name === '' || name.length > NAME_CHARACTERS_MAX || password === '') return undefined;
  const search = await findDirectoryEntry(settings, name);
  if (search.kind === 'ambiguous') {
    ctx.log.warn({ base: settings.base }, 'The directory has several people of one name.');
  }
  if (search.kind !== 'found') {
    await pretend(settings, name, password, guard);
    return undefined;
  }
  const { entry } = search;
  // The directory accepts many spellings for one person; guesses are counted per person.
  await guard(entryText(entry.id));
  if (!(await times.measure(() => checkEntryPassword(settings, entry, password)))) return undefined;
  if (!isEmail(entry.email)) {
    ctx.log.warn(
      { dn: entry.dn, attribute: settings.emailAttribute },
      'The directory knows no usable address of somebody who signed in.',
    );
    return undefined;
  }
  return findPersonOf(ctx, entry, settings.createsAccounts ? create : undefined);
}

/**
 * Imitates a real check for an unknown name, so that the time reveals nothing about who is in the
 * directory: it counts an attempt, shows the directory a password for an entry that does not exist,
 * and waits until as much time has passed as recent real checks took.
 */
async function pretend(
  settings: DirectorySettings,
  name: string,
  password: string,
  guard: Guard,
): Promise<void> {
  await guard(entryText(`nobody ${name.toLowerCase()}`));
  const untilMs = performance.now() + times.draw();
  const nobody: DirectoryEntry = {
    dn: `uid=nobody-${crypto.randomUUID()},${settings.base}`,
    id: '',
    email: '',
    name: '',
  };
  await checkEntryPassword(settings, nobody, password);
  await pause(Math.max(0, untilMs - performance.now()));
}
