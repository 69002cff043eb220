// A process of a deployment with a chosen release: this tree, or a past one that was packed into
// e2e/releases. Its log is kept, because refusals are logged.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { freePort } from '../server/src/platform/engines/process.ts';
import { pause, withDeadline } from '../server/src/platform/std/wait.ts';
import { RIALTO_BINARY } from '../server/src/testing/rialto-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LISTENS_WITHIN_MS = 90_000;
const ENDS_WITHIN_MS = 60_000;
/** Characters of the end of a log that are kept. */
const SAID_MAX = 1_000_000;

export interface Release {
  readonly name: string;
  /** The program that takes `serve`, `migrate` and the like. */
  readonly program: string;
  remove(): void;
}

export const THIS_RELEASE: Release = { name: 'this tree', program: RIALTO_BINARY, remove() {} };

/** Unpacks a past release, inside the repository so that it finds its packages. */
export function unpackRelease(name: string): Release {
  const packed = readFileSync(new URL(`releases/${name}.json.br`, import.meta.url));
  const files = JSON.parse(brotliDecompressSync(packed).toString('utf8')) as Record<string, string>;
  mkdirSync(join(ROOT, '.rialto'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.rialto', `release-${name}-`));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return {
    name,
    program: join(folder, 'rialto.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Member {
  readonly roles: string;
  readonly origin: string;
  /** Its log so far. */
  said(): string;
  isOver(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Waits for its end; the exit code, or null after a signal. */
  ended(): Promise<number | null>;
}

/** Starts `serve` and returns when the operators' port listens. It need not be ready for anything. */
export async function startMember(
  release: Release,
  roles: string,
  environment: Record<string, string>,
): Promise<Member> {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [release.program, 'serve', '--roles', roles], {
    env: {
      PATH: process.env['PATH'],
      ...environment,
      LOG_LEVEL: 'info',
      PORT: String(port),
      OPS_PORT: String(opsPort),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SAID_MAX);
  });
  const member: Member = {
    roles,
    origin: `http://127.0.0.1:${port}`,
    said: () => said,
    isOver: () => hasEnded(child),
    kill: (signal) => void child.kill(signal),
    async ended() {
      const exit = hasEnded(child) ? Promise.resolve() : once(child, 'exit');
      await withDeadline<unknown>(exit, ENDS_WITHIN_MS, `The end of ${release.name} ${roles}`);
      return child.exitCode;
    },
  };
  // Some tests wait for a role that ends soon after its start, so only silence is a failure here.
  const address = roles.includes('api')
    ? `${member.origin}/health/live`
    : `http://127.0.0.1:${opsPort}/live`;
  const deadline = Date.now() + LISTENS_WITHIN_MS;
  while (Date.now() < deadline && !member.isOver()) {
    if ((await fetch(address).catch(() => undefined)) !== undefined) return member;
    await pause(50);
  }
  if (member.isOver()) return member;
  child.kill('SIGKILL');
  throw new Error(`${release.name} ${roles} did not listen: ${said.slice(-2000)}`);
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;
