/**
 * Private engines: child processes that serve one run of `dev`, `demo` or a test, drop root, and
 * leave nothing behind. This folder is the only place that may start a process.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SystemAccount {
  name: string;
  uid: number;
  gid: number;
}

/** The account an engine runs as: undefined means ours, since only root has a reason to change. */
function accountFor(preferred: string[]): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const rows = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = [...preferred, 'nobody'].flatMap((name) => {
    const row = rows.find((line) => line.startsWith(`${name}:`))?.split(':');
    return row ? [{ name, uid: Number(row[2]), gid: Number(row[3]) }] : [];
  });
  if (found[0]) return found[0];
  throw new Error(
    'Running as root, but /etc/passwd has no user "nobody" to run an engine as. ' +
      'Run as an ordinary user, or add one: useradd --system nobody',
  );
}

/** Whether the account may read and execute a file or folder, including every folder above it. */
export function canUse(account: SystemAccount | undefined, path: string): boolean {
  try {
    const real = fs.realpathSync(path);
    if (!account) return fs.accessSync(real, fs.constants.R_OK | fs.constants.X_OK) === undefined;
    for (let at = real, need = 5; ; at = dirname(at), need = 1) {
      const { mode, uid, gid } = fs.statSync(at);
      const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
      if (((mode >> shift) & need) !== need) return false;
      if (at === dirname(at)) return true;
    }
  } catch {
    return false;
  }
}

/** Every executable of these names on PATH, then in `/usr/sbin`, which few users have on PATH. */
export function findBinaries(names: string[]): string[] {
  const folders = [
    ...(process.env['PATH'] ?? '').split(':').filter(Boolean),
    '/usr/sbin',
    '/usr/local/sbin',
  ];
  const paths = names.flatMap((name) => folders.map((folder) => resolve(folder, name)));
  return paths.filter((path) => fs.existsSync(path) && fs.statSync(path).isFile());
}

/** The first binary of these names that the account may run, or an error saying what to install. */
export function requireBinary(
  names: string[],
  account: SystemAccount | undefined,
  install: string,
) {
  const found = findBinaries(names);
  const usable = found.find((path) => canUse(account, path));
  if (usable !== undefined) return usable;
  const blocked = found.length
    ? ` Found ${found.join(', ')}, which the user "${account?.name ?? 'running this'}" may not run.`
    : '';
  throw new Error(`Cannot find ${names.join(' or ')} on PATH.${blocked} ${install}`);
}

/**
 * A free port of 127.0.0.1. It is chosen below the range from which systems take the ports of
 * outgoing connections: a client that reconnects in a loop while its engine is down could otherwise
 * be given that very port, connect to itself, and keep the engine from coming back.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const wanted = attempt < 50 ? 15_000 + Math.floor(Math.random() * 17_000) : 0;
    const server = createServer().listen(wanted, '127.0.0.1');
    try {
      await once(server, 'listening');
      const address = server.address();
      if (typeof address === 'object' && address) return address.port;
    } catch (error) {
      if (wanted === 0) throw error;
    } finally {
      server.close();
    }
  }
}

/** Sends text to a local port and resolves once the answer contains what is expected. */
export async function converse(port: number, say: string, expected: string): Promise<void> {
  const socket = createConnection(port, '127.0.0.1').setEncoding('utf8');
  socket.setTimeout(2_000, () => socket.destroy(new Error('no answer within two seconds')));
  try {
    socket.write(say);
    let heard = '';
    for await (const text of socket) if ((heard += String(text)).includes(expected)) return;
    throw new Error(`port ${port} answered ${JSON.stringify(heard.slice(0, 200))}`);
  } finally {
    socket.destroy();
  }
}

/**
 * The environment of an engine's process and its helpers: no secrets, and no PGPORT and the like.
 */
function environment(folder: string): NodeJS.ProcessEnv {
  const keep = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TZ'];
  const kept = keep.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return { ...Object.fromEntries(kept), HOME: folder, LC_ALL: 'C' };
}

/**
 * A watchdog per engine cleans up even after a SIGKILL of this process. It is a shell that reads a
 * pipe of which only we hold the other end, so the end of input means that we are gone for any
 * reason; polling our pid would be slower and could mistake a reused pid for us. Lines tell it the
 * pid to end ("" for none); "done" dismisses it. Because it also covers SIGTERM and SIGINT, this
 * module installs no signal handlers, which would take the decision to exit away from the program.
 * In a container whose first process reaps nothing, the engine stays as a zombie, which counts as
 * gone.
 */
const WATCHDOG = `pid=
while read -r line; do [ "$line" = done ] && exit 0; pid=$line; done
if [ -n "$pid" ]; then
  kill -"$2" "$pid"; kill -CONT "$pid"; n=0
  while kill -0 "$pid" && ! grep -qs '^State:.Z' "/proc/$pid/status" && [ $n -lt 200 ]
  do sleep 0.1; n=$((n+1)); done
  kill -KILL "$pid"
fi
[ -z "$1" ] || rm -rf -- "$1" || { sleep 1; rm -rf -- "$1"; }`;

export interface EngineHomeOptions {
  /** The product's name, as an error message calls it. */
  name: string;
  /** The accounts to prefer over `nobody` when we are root. */
  users?: string[];
  /** Keeps everything in this folder, which is then never deleted. */
  folder?: string | undefined;
  /** The signals for an orderly end, and for a quick one that still cleans up. */
  orderly: NodeJS.Signals;
  quick: NodeJS.Signals;
}

/** Where one engine lives: its folder, its account, its log, and the watchdog over them. */
export class EngineHome {
  readonly options: EngineHomeOptions;
  readonly account: SystemAccount | undefined;
  readonly folder: string;
  /** Only a folder that this module created is ever deleted; one that the caller named stays. */
  readonly throwAway: boolean;
  /** How to end a process by default. */
  readonly signal: NodeJS.Signals;
  /** The process that was started last: the engine, or before it a helper such as initdb. */
  child: ChildProcess | undefined;
  readonly #watchdog: ChildProcess;

  constructor(options: EngineHomeOptions) {
    this.options = options;
    this.account = accountFor(options.users ?? []);
    this.throwAway = options.folder === undefined;
    this.folder = resolve(options.folder ?? fs.mkdtempSync(join(tmpdir(), 'rialto-')));
    this.makeFolder(this.folder);
    this.signal = this.throwAway ? options.quick : options.orderly;
    const watched = this.throwAway ? this.folder : '';
    this.#watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', watched, this.signal.slice(3)], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#watchdog.on('error', () => undefined).unref();
    const pipe = this.#watchdog.stdin?.on('error', () => undefined);
    if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }

  /**
   * Makes a folder that the account owns, and fails with advice when the account cannot reach it.
   */
  makeFolder(path: string): void {
    fs.mkdirSync(path, { recursive: true, mode: 0o700 });
    this.own(path);
    if (canUse(this.account, path)) return;
    if (this.throwAway) fs.rmSync(this.folder, { recursive: true, force: true });
    throw new Error(
      `The user "${this.account?.name}" cannot enter ${path}: a folder above it is closed to ` +
        'others. Name a folder that every user can reach, or set TMPDIR to one such as /tmp.',
    );
  }

  /** Gives a file or folder to the account. */
  own(path: string): void {
    if (this.account) fs.lchownSync(path, this.account.uid, this.account.gid);
  }

  /** Writes a file that only the account may read, since most of these hold a password. */
  write(name: string, text: string): string {
    const path = resolve(this.folder, name);
    fs.writeFileSync(path, text, { mode: 0o600 });
    this.own(path);
    return path;
  }

  logSize(): number {
    return fs.statSync(join(this.folder, 'log'), { throwIfNoEntry: false })?.size ?? 0;
  }

  logSince(offset: number): string {
    if (!this.logSize()) return '';
    return fs.readFileSync(join(this.folder, 'log')).subarray(offset).toString('utf8').trim();
  }

  /** Starts a process; `detached`, so that Ctrl-C reaches us and not the engines before us. */
  spawn(command: string, args: string[]): ChildProcess {
    const log = fs.openSync(join(this.folder, 'log'), 'a', 0o600);
    try {
      const child = spawn(command, args, {
        cwd: this.folder,
        detached: true,
        env: environment(this.folder),
        stdio: ['ignore', log, log],
        ...(this.account && { uid: this.account.uid, gid: this.account.gid }),
      });
      this.child = child;
      this.#tell(String(child.pid ?? ''));
      child.once('error', (error) => this.note(`cannot start ${command}: ${error.message}`));
      child.once('exit', () => this.#tell(''));
      return child;
    } finally {
      fs.closeSync(log);
    }
  }

  /** Runs a helper such as initdb to its end. */
  async run(command: string, args: string[]): Promise<void> {
    const from = this.logSize();
    const child = this.spawn(command, args);
    await ended(child);
    if (child.exitCode === 0) return;
    throw new Error(
      `${command} failed (${child.signalCode ?? `exit code ${child.exitCode}`}). ` +
        `It said:\n${lastLines(this.logSince(from))}`,
    );
  }

  note(line: string): void {
    fs.appendFileSync(join(this.folder, 'log'), `${line}\n`);
  }

  #tell(line: string): void {
    if (this.#watchdog.stdin?.writable) this.#watchdog.stdin.write(`${line}\n`);
  }

  async release(): Promise<void> {
    const options = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
    if (this.throwAway) await fs.promises.rm(this.folder, options);
    this.#tell('done');
  }
}

/** What a binary answers to `--version`, or nothing when it cannot run at all. */
export function versionText(binary: string): string {
  return spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 }).stdout ?? '';
}

export const lastLines = (text: string): string =>
  text.split('\n').slice(-15).join('\n') || '(nothing at all)';

export const hasExited = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

export async function ended(child: ChildProcess, withinMs = 120_000): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!hasExited(child) && Date.now() < deadline) await sleep(10);
  return hasExited(child);
}
