// C14: the signer is killed at each step of remembering, and at random. Bytes that left are always remembered.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from './test-client.ts';
import { init, restore } from './setup.ts';
import { memoryPlaces } from './memory/files.ts';
import { beginMemory, type Step } from './memory/memory.ts';
import {
  COST,
  LTC,
  PASSPHRASE,
  START,
  WORDS,
  keys,
  makePsbt,
  makeTestFolder,
  ourAddress,
  payout,
  policyFile,
  strangersAddress,
  utxoRequest,
} from './test-signer.ts';

/** Many processes are started, each with a compiler and a seed to open; a busy machine takes its time. */
const LONG_MS = 400_000;
const PROGRAM = fileURLToPath(new URL('test-killed.ts', import.meta.url));

const nth = (payment: number, withdrawal = payment) =>
  utxoRequest({
    paymentId: `P${payment}`,
    unsigned: makePsbt(
      [{ vout: payment }],
      [
        { address: strangersAddress(1), units: LTC / 100n },
        {
          address: ourAddress(1, 0),
          units: 2n * LTC - LTC / 100n - 1000n,
          change: { index: 0 },
        },
      ],
    ),
    outputs: [payout(`W${withdrawal}`, '0.01')],
  });

/** A folder of the seed of these tests, which has signed nothing. */
function makeSigner(): { folder: string; socket: string } {
  const folder = makeTestFolder();
  restore(folder, WORDS, PASSPHRASE, COST);
  beginMemory(folder, keys.memoryKey, [{ body: { type: 'began', fingerprint: '' }, at: START }]);
  writeFileSync(join(folder, 'policy.json'), JSON.stringify(policyFile));
  return { folder, socket: join(folder, 'socket') };
}

async function start(
  { folder, socket }: { folder: string; socket: string },
  ...rest: readonly string[]
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, folder, socket, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Waited for: its lock names the folder by its number, which the folder of the next test may have.
  onTestFinished(() => kill(child));
  await Promise.race([once(child.stdout, 'data'), failOnExit(child)]);
  return child;
}

async function failOnExit(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The signer ended before it was ready.');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const reasonOf = async (socket: string, request: unknown) => {
  const answer = await ask(socket, request);
  return answer === undefined ? 'no answer' : answer.ok ? 'signed' : answer.reason;
};

const STEPS: readonly [Step, boolean][] = [
  ['begin', false],
  // Written, not yet flushed: the kernel still has it, as only the process died.
  ['appended', true],
  ['flushed', true],
  ['headed', true],
];

it.each(STEPS)(
  'killed at "%s" it gave nothing away, and knows after its restart',
  async (step, isKept) => {
    const signer = makeSigner();
    // The first record is the policy's.
    const child = await start(signer, step, '2');
    expect(await reasonOf(signer.socket, nth(1))).toBe('no answer');
    await kill(child);
    const next = await start(signer);
    const health = await ask(signer.socket, { op: 'health' });
    expect(health).toMatchObject({ ready: true, seq: isKept ? 3 : 2 });
    if (isKept) expect(await reasonOf(signer.socket, nth(2, 1))).toBe('withdrawal_has_payment');
    expect(await reasonOf(signer.socket, nth(1))).toBe('signed');
    expect(await reasonOf(signer.socket, nth(2, 1))).toBe('withdrawal_has_payment');
    await kill(next);
  },
  LONG_MS,
);

it(
  'killed ten times in the middle of its work it never forgets a payment whose bytes left',
  async () => {
    const signer = makeSigner();
    const answered = new Set<number>();
    let n = 0;
    for (let round = 0; round < 10; round += 1) {
      const child = await start(signer);
      let timer: NodeJS.Timeout | undefined;
      for (;;) {
        n += 1;
        const reason = await reasonOf(signer.socket, nth(n));
        if (reason === 'no answer') break;
        expect(['signed', 'limit_hour']).toContain(reason);
        if (reason === 'signed') answered.add(n);
        // At some moment of one of the next requests.
        timer ??= setTimeout(() => child.kill('SIGKILL'), round * 7);
      }
      clearTimeout(timer);
      await kill(child);
    }
    expect(answered.size).toBeGreaterThan(9);
    const last = await start(signer);
    for (const one of answered) {
      expect(await reasonOf(signer.socket, nth(100_000 + one, one))).toBe('withdrawal_has_payment');
    }
    await kill(last);
  },
  LONG_MS,
);

it(
  'with its log cut while it was down it signs nothing, and says so',
  async () => {
    const signer = makeSigner();
    const child = await start(signer);
    expect(await reasonOf(signer.socket, nth(1))).toBe('signed');
    await kill(child);
    const { truncateSync, statSync } = await import('node:fs');
    const { records } = memoryPlaces(signer.folder);
    truncateSync(records, statSync(records).size - 100);
    await start(signer);
    expect(await reasonOf(signer.socket, nth(2))).toBe('memory_broken');
    expect(await ask(signer.socket, { op: 'health' })).toMatchObject({ ready: false });
    expect(await ask(signer.socket, { op: 'pubkeys' })).toMatchObject({ ok: true });
  },
  LONG_MS,
);

it(
  'a restored seed signs nothing before its memory is recovered, a new one signs',
  async () => {
    const folder = makeTestFolder();
    const socket = join(folder, 'socket');
    restore(folder, WORDS, PASSPHRASE, COST);
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policyFile));
    await start({ folder, socket });
    expect(await reasonOf(socket, nth(1))).toBe('memory_broken');
    const other = makeTestFolder();
    init(other, PASSPHRASE, COST);
    writeFileSync(join(other, 'policy.json'), JSON.stringify(policyFile));
    await start({ folder: other, socket: join(other, 'socket') });
    expect(await ask(join(other, 'socket'), { op: 'health' })).toMatchObject({ ready: true });
    // The input is one of another seed.
    expect(await reasonOf(join(other, 'socket'), nth(1))).toBe('input_not_ours');
  },
  LONG_MS,
);
