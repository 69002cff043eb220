import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError, loadConfig, rolesOf } from './load.ts';

const good = { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', MASTER_KEY: 'ab'.repeat(32) };

function problemsOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

it('a minimal environment gives every default', () => {
  const config = loadConfig(good);
  expect(config.TRADING_RATE_LIMIT).toBe(10);
  expect(rolesOf(config)).toEqual(['api', 'engine', 'relay', 'worker']);
});

it('names every missing or wrong setting at once, with the rule', () => {
  const text = problemsOf({ PORT: '80a', ROLES: 'api,cook' });
  expect(text).toContain('DATABASE_URL is missing');
  expect(text).toContain('MASTER_KEY is missing');
  expect(text).toContain('PORT must be a whole number from 0 to 65535, not "80a"');
  expect(text).toContain('ROLES must match');
});

it('never repeats a secret in an error', () => {
  const text = problemsOf({
    ...good,
    MASTER_KEY: 'hunter2',
    DATABASE_URL: 'mysql://u:hunter3@h/d',
  });
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('hunter3');
});

it('NATS and Redis come together or not at all', () => {
  expect(problemsOf({ ...good, NATS_URL: 'nats://127.0.0.1:4222' })).toContain('belong together');
});

it('a secret may come from a file, but not from both places', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-config-'));
  try {
    const file = join(folder, 'key');
    writeFileSync(file, `${'cd'.repeat(32)}\n`);
    const { DATABASE_URL } = good;
    expect(loadConfig({ DATABASE_URL, MASTER_KEY_FILE: file }).MASTER_KEY).toBe('cd'.repeat(32));
    expect(problemsOf({ ...good, MASTER_KEY_FILE: file })).toContain('both set');
    expect(problemsOf({ DATABASE_URL, MASTER_KEY_FILE: join(folder, 'none') })).toContain(
      'cannot be read',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
