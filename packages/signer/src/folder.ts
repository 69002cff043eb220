// The folder of a signer, and who may read it. A seed that others can read, or a policy that others can write, is refused
// before anything is opened.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SignerFault } from './fault.ts';

const OTHERS = 0o077;
const WRITE_OF_OTHERS = 0o022;
const FILE_BYTES_MAX = 1024 * 1024;

export const seedPath = (folder: string): string => join(folder, 'seed.json');

export function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkFolder(folder);
}

export function checkFolder(folder: string): void {
  if (!existsSync(folder)) {
    throw new SignerFault(
      `There is no folder ${folder}. \`rialto signer init --folder ${folder}\` makes it.`,
    );
  }
  const { mode, uid } = statSync(folder);
  if ((mode & OTHERS) !== 0 || uid !== process.getuid?.()) {
    throw new SignerFault(
      `${folder} must belong to the user of the signer, and to nobody else: chmod 700 ${folder}`,
    );
  }
}

/** Writes a secret where no file is: nothing is ever overwritten. */
export function writeSecret(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    throw new SignerFault(`${path} could not be written, or exists already. Nothing was changed.`, {
      cause: error,
    });
  }
}

/** Reads a file that only this user may read. */
export function readSecret(path: string): string {
  const { mode } = look(path);
  if ((mode & OTHERS) !== 0 && !isCredential(path)) {
    throw new SignerFault(`Others can open ${path}: chmod 600 ${path}`);
  }
  return readFileSync(path, 'utf8');
}

/** What systemd gives to one service is readable for its user by an access list, which the mode shows as the group's. */
function isCredential(path: string): boolean {
  const folder = process.env['CREDENTIALS_DIRECTORY'];
  return folder !== undefined && dirname(resolve(path)) === folder;
}

/** Reads a file that others may read but not write, as a policy of root's. */
export function readGuarded(path: string): string {
  const { mode, uid } = look(path);
  if ((mode & WRITE_OF_OTHERS) !== 0 || (uid !== 0 && uid !== process.getuid?.())) {
    throw new SignerFault(
      `Others can change ${path}: it must belong to root or to the user of the signer, chmod go-w ${path}`,
    );
  }
  return readFileSync(path, 'utf8');
}

function look(path: string) {
  if (!existsSync(path)) throw new SignerFault(`There is no file ${path}.`);
  const facts = statSync(path);
  if (!facts.isFile() || facts.size > FILE_BYTES_MAX) {
    throw new SignerFault(`${path} is no file of at most ${FILE_BYTES_MAX} bytes.`);
  }
  return facts;
}
