import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readOperatorSecret, type Terminal } from './operator-secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));

class Keyboard extends EventEmitter {
  isTTY = true;
  isRaw = false;
  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }
  resume(): void {}
  pause(): void {}
  press(text: string): void {
    // Input before echo is off would be visible.
    expect(this.isRaw).toBe(true);
    this.emit('data', Buffer.from(text));
  }
}

function terminal(environment: Record<string, string> = {}, isTTY = true) {
  const keyboard = new Keyboard();
  keyboard.isTTY = isTTY;
  const shown: string[] = [];
  const all: Terminal = {
    environment,
    input: keyboard,
    output: { write: (text: string) => shown.push(text) },
  };
  return { keyboard, shown, secret: readOperatorSecret('ava@example.com', all) };
}

it('a typed secret is not shown, and echo is on again afterwards', async () => {
  const { keyboard, shown, secret } = terminal();
  keyboard.press('svc_opx');
  keyboard.press('\u007ferator\r');
  expect(await secret).toBe('svc_operator');
  expect(keyboard.isRaw).toBe(false);
  expect(shown).toEqual(["Operator's secret of ava@example.com: ", '\n']);
});

it('Ctrl-C at the prompt ends the command with nothing done', async () => {
  const { keyboard, secret } = terminal();
  keyboard.press('svc\u0003');
  await expect(secret).rejects.toThrow('Nothing was done.');
  expect(keyboard.isRaw).toBe(false);
});

it('a file comes before the environment, and the environment before the terminal', async () => {
  const file = join(folder, 'secret');
  writeFileSync(file, 'from the file\n');
  const both = { RIALTO_OPERATOR_SECRET_FILE: file, RIALTO_OPERATOR_SECRET: 'plain' };
  expect(await terminal(both).secret).toBe('from the file');
  expect(await terminal({ RIALTO_OPERATOR_SECRET: 'plain\n' }).secret).toBe('plain');
});

it('without a terminal, a file or a variable it names the possible sources', async () => {
  await expect(terminal({}, false).secret).rejects.toThrow('RIALTO_OPERATOR_SECRET_FILE');
  const missing = { RIALTO_OPERATOR_SECRET_FILE: join(folder, 'missing') };
  await expect(terminal(missing).secret).rejects.toThrow('cannot be read');
});

it('an empty secret and an overlong one are refused before the database is asked', async () => {
  await expect(terminal({ RIALTO_OPERATOR_SECRET: ' \n' }).secret).rejects.toThrow('is empty');
  const long = { RIALTO_OPERATOR_SECRET: 'x'.repeat(100_000) };
  await expect(terminal(long).secret).rejects.toThrow('at most 200');
  const { keyboard, secret } = terminal();
  keyboard.press('x'.repeat(100_000));
  keyboard.press('\r');
  await expect(secret).rejects.toThrow('at most 200');
});
