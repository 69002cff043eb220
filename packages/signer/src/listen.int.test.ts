// The doors of the signer under attack: lines without end, halves of lines, a thousand connections, strangers.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectByTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { LIMITS, listenByTls, listenLocally, type Limits } from './listen.ts';
import { lockFolder } from './lock.ts';
import type { Answer } from './service.ts';
import { ask, exchange } from './test-client.ts';
import { makeTestFolder } from './test-signer.ts';

const SMALL: Limits = { ...LIMITS, lineBytesMax: 1000, lineMs: 300, idleMs: 60_000 };
const respond = (line: string): Answer => ({
  ok: false,
  reason: 'bad_request',
  message: String(line.length),
});

async function listen(limits: Limits = SMALL): Promise<string> {
  const path = join(makeTestFolder(), 'socket');
  const door = await listenLocally(path, respond, { limits });
  onTestFinished(() => door.close());
  return path;
}

const opened = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    onTestFinished(() => void socket.destroy());
  });

it('the socket is for its user alone, or for a group beside', async () => {
  const path = await listen();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const shared = join(makeTestFolder(), 'socket');
  const door = await listenLocally(shared, respond, { gid: process.getgid?.() ?? 0 });
  onTestFinished(() => door.close());
  expect(statSync(shared).mode & 0o777).toBe(0o660);
});

it('a socket that a dead process left is replaced; a living one, or a file, is not', async () => {
  const path = await listen();
  await expect(listenLocally(path, respond)).rejects.toThrow(/already answers/);
  const file = join(makeTestFolder(), 'file');
  writeFileSync(file, 'precious');
  await expect(listenLocally(file, respond)).rejects.toThrow(/no socket/);
  expect(readFileSync(file, 'utf8')).toBe('precious');
});

it('two signers never work in one folder', async () => {
  const folder = makeTestFolder();
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(/Another process/);
  unlock();
  await expect
    .poll(() =>
      lockFolder(folder).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

it('lines are answered one by one, in pieces or many at once', async () => {
  const path = await listen();
  const socket = await opened(path);
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  socket.write('abc');
  socket.write('de\nfgh\n\n');
  await expect
    .poll(() =>
      answers
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { message: string }).message),
    )
    .toEqual(['5', '3', '0']);
});

it('a giant line is refused as soon as it is one, and the connection ends', async () => {
  const path = await listen();
  const answer = await exchange(connect(path), 'x'.repeat(1001));
  expect(answer).toMatchObject({ reason: 'line_too_long' });
  expect(await exchange(connect(path), `${'x'.repeat(5000)}\n`)).toMatchObject({
    reason: 'line_too_long',
  });
  expect(await exchange(connect(path), `${'x'.repeat(1000)}\n`)).toMatchObject({ message: '1000' });
});

it('half a line is waited for, but not for ever, and dripping does not prolong it', async () => {
  const path = await listen();
  const socket = await opened(path);
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  const drip = setInterval(() => socket.writable && socket.write('x'), 20);
  socket.on('error', () => {});
  await expect.poll(() => answers).toContain('too_slow');
  clearInterval(drip);
  // Half a line and then nothing, ever: no answer, no trace.
  (await opened(path)).end('{"op":"si');
  expect(await ask(path, {})).toMatchObject({ message: '2' });
});

it('a thousand connections leave the first ones their places, and new ones when those go', async () => {
  const path = await listen();
  const first = await opened(path);
  const many = await Promise.all(
    Array.from({ length: 1000 }, () => opened(path).catch(() => undefined)),
  );
  expect(await exchangeOn(first)).toContain('bad_request');
  first.destroy();
  for (const socket of many) socket?.destroy();
  await expect.poll(() => ask(path, {})).toMatchObject({ message: '2' });
});

const exchangeOn = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    socket.write('{}\n');
  });

it('who asks and does not read is cut off', async () => {
  const path = await listen({ ...SMALL, unreadBytesMax: 10_000 });
  const socket = await opened(path);
  socket.pause();
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const flood = setInterval(() => socket.writable && socket.write('\n'.repeat(20_000)), 5);
  await closed;
  clearInterval(flood);
  expect(await ask(path, {})).toMatchObject({ message: '2' });
});

it('by TLS only a client with a certificate of ours gets an answer', async () => {
  const folder = makeTestFolder();
  const make = (name: string, ca?: string) => {
    const file = (end: string) => join(folder, `${name}.${end}`);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('key'));
    const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
    openssl(
      'req',
      '-new',
      '-x509',
      '-key',
      file('key'),
      '-days',
      '2',
      '-out',
      file('cert'),
      ...subject,
      ...(ca === undefined
        ? []
        : ['-CA', join(folder, `${ca}.cert`), '-CAkey', join(folder, `${ca}.key`)]),
    );
    return { cert: readFileSync(file('cert'), 'utf8'), key: readFileSync(file('key'), 'utf8') };
  };
  const ca = make('ca');
  const door = await listenByTls(
    { host: '127.0.0.1', port: 0, ...make('signer', 'ca'), ca: ca.cert },
    respond,
    SMALL,
  );
  onTestFinished(() => door.close());
  const call = (client: object) =>
    exchange(
      connectByTls({
        host: '127.0.0.1',
        port: door.port ?? 0,
        servername: 'localhost',
        ca: ca.cert,
        ...client,
      }),
      '{}\n',
    );
  expect(await call(make('server', 'ca'))).toMatchObject({ message: '2' });
  expect(await call({})).toBeUndefined();
  expect(await call(make('stranger'))).toBeUndefined();
  const old = { ...make('older', 'ca'), maxVersion: 'TLSv1.2' };
  expect(await call(old)).toBeUndefined();
});
