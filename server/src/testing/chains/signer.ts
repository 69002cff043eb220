// A signer in a process of its own, as operators start it, with a seed of its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openSigner, type SignerKeys } from '../../trading/custody/payments/signer.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/rialto.js', import.meta.url));
const run = promisify(execFile);

/** The signer reads the clock of its machine when it starts, and only then. */
const clockAhead = (ms: number): string => {
  const code = `const now = Date.now; Date.now = () => now() + ${ms};`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

export interface SignerProcess {
  readonly socket: string;
  readonly keys: SignerKeys;
  /** The paper that operators keep. */
  readonly words: string;
  /** What an operator of the policy signs with their own key, from the text of a request. */
  approve(name: 'ana' | 'ben', request: string): Promise<{ key: string; signature: string }>;
  /** Of the process that runs now. */
  pid(): number;
  kill(): Promise<void>;
  /** On a machine whose clock is so far ahead. */
  restart(aheadMs?: number): Promise<void>;
  remove(): Promise<void>;
}

/**
 * `networks` as the file of the policy has them. Two operators are in it. `lost` are the words of a seed whose machine is gone:
 * it is restored, and the two recover its memory.
 */
export async function startSigner(
  networks: Record<string, unknown>,
  lost?: string,
): Promise<SignerProcess> {
  const home = await mkdtemp(join(tmpdir(), 'rialto-signer-'));
  const at = (name: string) => join(home, name);
  const signer = (...args: readonly string[]) =>
    run(process.execPath, [LAUNCHER, 'signer', ...args]);
  await writeFile(at('passphrase'), 'correct horse battery staple\n', { mode: 0o600 });
  const seed = ['--folder', at('signer'), '--passphrase-file', at('passphrase')];
  const words = lost ?? (await signer('init', ...seed)).stdout.split('\n')[0] ?? '';
  if (lost !== undefined) {
    await writeFile(at('words'), lost, { mode: 0o600 });
    await signer('restore', ...seed, '--words-file', at('words'));
  }
  const operators = await Promise.all(
    ['ana', 'ben'].map(async (name) => {
      const { stdout } = await signer('operator-key', '--out', at(name));
      return { name, key: stdout.trim() };
    }),
  );
  const policy = { version: 1, networks, operators, approvalsNeeded: 2 };
  await writeFile(at('policy.json'), JSON.stringify(policy));
  const approve = async (name: string, request: string) => {
    await writeFile(at('request.json'), request);
    return (await signer('approve', at('request.json'), '--key', at(name))).stdout;
  };
  if (lost !== undefined) {
    const recover = ['recover', ...seed, '--policy', at('policy.json')];
    const { stdout: statement } = await signer(...recover);
    for (const { name } of operators) {
      await writeFile(at(`${name}.signature`), await approve(name, statement));
    }
    await signer(
      ...recover,
      '--signature',
      ...operators.map(({ name }) => at(`${name}.signature`)),
    );
  }
  const socket = at('socket');
  let child: ChildProcess | undefined;
  const start = async (aheadMs = 0) => {
    const args = ['serve', ...seed, '--policy', at('policy.json'), '--socket', socket];
    child = spawn(process.execPath, [LAUNCHER, 'signer', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: aheadMs === 0 ? process.env : { ...process.env, NODE_OPTIONS: clockAhead(aheadMs) },
    });
    const early = once(child, 'exit').then(() =>
      Promise.reject(new Error('The signer ended before it was ready.')),
    );
    if (child.stdout !== null) await Promise.race([once(child.stdout, 'data'), early]);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    socket,
    keys: await openSigner(socket).keys(),
    words,
    approve: async (name, request) =>
      JSON.parse(await approve(name, request)) as { key: string; signature: string },
    pid: () => child?.pid ?? -1,
    kill,
    restart: start,
    async remove() {
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}
