// The file that keeps an operator signed in at a command line. Only that login may read it.
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../../trouble.ts';

const NAME = 'RIALTO_OPERATOR_SESSION_FILE';
const OWN_ONLY = 0o600;
const OTHERS = 0o077;

export interface LoginFile {
  /** In lower case. */
  readonly email: string;
  readonly token: string;
}

const loginPath = (): string => {
  const given = process.env[NAME];
  return given === undefined || given === ''
    ? join(homedir(), '.config', 'rialto', 'operator-session')
    : given;
};

/** Undefined if nobody is signed in here. */
export function readLoginFile(path: string = loginPath()): LoginFile | undefined {
  let text: string;
  try {
    if ((statSync(path).mode & OTHERS) !== 0) {
      throw new CommandError(
        `${path} can be read by others, so it may have been. Run \`rialto operator logout\`, then \`rialto operator login\`.`,
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}.`);
  }
  const [email = '', token = ''] = text.trim().split('\n');
  return { email, token };
}

/** Never readable for others, not even while it is written. */
export function writeLoginFile({ email, token }: LoginFile, path: string = loginPath()): string {
  const fresh = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(fresh, `${email.toLowerCase()}\n${token}\n`, { mode: OWN_ONLY, flag: 'wx' });
  chmodSync(fresh, OWN_ONLY);
  renameSync(fresh, path);
  return path;
}

/** The token that was there, even in a file that others could read. */
export function removeLoginFile(path: string = loginPath()): string | undefined {
  try {
    const [, token] = readFileSync(path, 'utf8').trim().split('\n');
    rmSync(path);
    return token;
  } catch {
    return undefined;
  }
}
