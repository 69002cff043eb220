// The command line, as an operator uses it, from the first word to a signature.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from './test-client.ts';
import { PASSPHRASE, makeTestFolder, policyFile, utxoRequest } from './test-signer.ts';

const LAUNCHER = fileURLToPath(new URL('../../../server/bin/rialto.js', import.meta.url));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

const rialto = (...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, 'signer', ...args], (error, stdout, stderr) => {
      resolve({
        code: typeof error?.code === 'number' ? error.code : 0,
        out: stdout,
        error: stderr,
      });
    });
  });

const done = async (...args: readonly string[]): Promise<string> => {
  const { code, out, error } = await rialto(...args);
  expect(error).toBe('');
  expect(code).toBe(0);
  return out.trim();
};

it('leads from a new seed to a signature, to a lost memory, and back by two operators', async () => {
  const home = makeTestFolder();
  const at = (name: string) => join(home, name);
  const folder = at('signer');
  writeFileSync(at('passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 });
  const seed = ['--folder', folder, '--passphrase-file', at('passphrase')];

  const [words = '', ...told] = (await done('init', ...seed)).split('\n');
  expect(words.split(' ')).toHaveLength(24);
  expect(told.join(' ')).toMatch(/not shown again/);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'seed.json')).mode & 0o777).toBe(0o600);
  // Never over an existing seed.
  expect(await rialto('init', ...seed)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/exists already/) as string,
  });

  const keys = await Promise.all(
    ['ana', 'ben'].map(async (name) => ({
      name,
      key: await done('operator-key', '--out', at(name)),
    })),
  );
  writeFileSync(at('policy.json'), JSON.stringify({ ...policyFile, operators: keys }), {
    mode: 0o644,
  });
  const settings = [...seed, '--policy', at('policy.json')];
  expect(await done('check-policy', at('policy.json'))).toMatch(/2 networks, 2 operators/);
  const shown = await done('pubkeys', ...settings);
  expect(shown).toMatch(/xpub/);
  expect(shown).not.toMatch(/xprv/);

  // The same words on another machine give the same keys.
  writeFileSync(at('words'), words, { mode: 0o600 });
  const twin = ['--folder', at('twin'), '--passphrase-file', at('passphrase')];
  await done('restore', ...twin, '--words-file', at('words'));
  expect(await done('pubkeys', ...twin, '--policy', at('policy.json'))).toBe(shown);

  const socket = at('socket');
  const start = async () => {
    const child = spawn(
      process.execPath,
      [LAUNCHER, 'signer', 'serve', ...settings, '--socket', socket],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const exit = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exit;
    });
    const early = exit.then(() =>
      Promise.reject(new Error('The signer ended before it was ready.')),
    );
    await Promise.race([once(child.stdout, 'data'), early]);
    return async () => {
      child.kill('SIGTERM');
      await exit;
    };
  };
  let stop = await start();
  expect(await ask(socket, { op: 'health' })).toMatchObject({ ready: true });
  expect(await ask(socket, utxoRequest())).toMatchObject({ reason: 'input_not_ours' });
  expect(await rialto('serve', ...settings, '--socket', at('other'))).toMatchObject({
    code: 1,
    error: expect.stringMatching(/Another process/) as string,
  });
  await stop();

  rmSync(join(folder, 'memory.jsonl'));
  stop = await start();
  expect(await ask(socket, utxoRequest())).toMatchObject({ reason: 'memory_broken' });
  await stop();
  writeFileSync(at('statement'), await done('recover', ...settings));
  for (const { name } of keys) {
    writeFileSync(
      at(`${name}.signature`),
      await done('approve', at('statement'), '--key', at(name)),
    );
  }
  const one = ['--signature', at('ana.signature')];
  expect(await rialto('recover', ...settings, ...one)).toMatchObject({ code: 1 });
  expect(await done('recover', ...settings, ...one, at('ben.signature'))).toMatch(/ana and ben/);
  stop = await start();
  expect(await ask(socket, { op: 'health' })).toMatchObject({ ready: true });
  await stop();
}, 600_000);

it('refuses files that others could read or change, and says what to do', async () => {
  const home = makeTestFolder();
  const at = (name: string) => join(home, name);
  writeFileSync(at('passphrase'), PASSPHRASE, { mode: 0o644 });
  const settings = ['--folder', at('signer'), '--passphrase-file', at('passphrase')];
  expect((await rialto('init', ...settings)).error).toMatch(/chmod 600/);
  writeFileSync(at('policy.json'), JSON.stringify(policyFile));
  chmodSync(at('policy.json'), 0o666);
  expect((await rialto('check-policy', at('policy.json'))).error).toMatch(/Others can change/);
  expect((await rialto('serve', ...settings)).error).toMatch(/place to listen|chmod/);
  expect(readFileSync(at('policy.json'), 'utf8')).toContain('"LTC"');
}, 200_000);

it('loads nothing of the server beside the seed', async () => {
  const { out } = await new Promise<Run>((resolve) => {
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      process.argv = [process.argv[0], 'rialto', 'signer', 'check-policy', '/dev/null'];
      process.on('exit', () => console.log(JSON.stringify(loaded)));
      await import(${JSON.stringify(LAUNCHER)});`;
    execFile(process.execPath, ['--input-type=module', '-e', program], (_error, stdout, stderr) => {
      resolve({ code: 0, out: stdout, error: stderr });
    });
  });
  const loaded = JSON.parse(out) as string[];
  expect(loaded.some((url) => url.includes('packages/signer/src/main.ts'))).toBe(true);
  expect(loaded.filter((url) => url.includes('/server/src/'))).toEqual([]);
  expect(loaded.filter((url) => /node_modules\/(pg|fastify|undici)\//.test(url))).toEqual([]);
}, 200_000);
