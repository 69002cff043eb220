import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError, expectation, loadConfig, rolesOf } from './load.ts';
import { settingSchemas } from './schema.ts';

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
  expect(config).toMatchObject({
    TRADING_RATE_LIMIT: 10,
    TRADING_RATE_WINDOW_MS: 1000,
    CHAT_RATE_LIMIT: 200,
    CHAT_RATE_LIMIT_ANONYMOUS: 100,
    SIGNUP_MAILS_PER_RECIPIENT: 5,
    INVITATIONS_DAILY_MAX: 1000,
    TRUSTED_PROXIES: '',
  });
  expect(rolesOf(config)).toEqual(['api', 'engine', 'relay', 'worker', 'custody']);
});

it('names every missing or wrong setting at once, with the rule', () => {
  const text = problemsOf({ PORT: '80a', ROLES: 'api,cook' });
  expect(text).toContain('DATABASE_URL is missing');
  expect(text).toContain('MASTER_KEY is missing');
  expect(text).toContain('PORT must be a whole number from 0 to 65535, not "80a"');
  expect(text).toContain(
    'ROLES must be one or more of api, engine, relay, worker, custody, with commas and no spaces, such as api,worker, not "api,cook"',
  );
});

it('says what form is expected, with a valid example, and shows no regular expression', () => {
  for (const [name, schema] of settingSchemas()) {
    const { pattern, example = '' } = schema as { pattern?: string; example?: string };
    const said = expectation(schema);
    expect(said, name).toMatch(/^must (be|have|not be) /);
    if (pattern === undefined) continue;
    expect(said, `${name} needs a form beside its pattern`).not.toBe('must not be empty');
    expect(said, name).not.toContain(pattern);
    if (example === '') expect(said, name).toBe('must be true or false');
    else if (!example.startsWith('as ')) expect(example, name).toMatch(new RegExp(pattern));
  }
  const text = problemsOf({ ...good, LOG_LEVEL: 'loud', LDAP_START_TLS: 'yes', SMTP_TLS: 'on' });
  expect(text).toContain('LOG_LEVEL must be one of trace, debug, info, warn, error, silent');
  expect(text).toContain('LDAP_START_TLS must be true or false, not "yes"');
  expect(text).toContain('SMTP_TLS must be one of required, opportunistic, off');
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

it('says what is wrong with the file of providers', () => {
  const text = problemsOf({ ...good, OIDC_PROVIDERS_FILE: '/nowhere/providers.json' });
  expect(text).toContain('OIDC_PROVIDERS_FILE /nowhere/providers.json: it cannot be read as JSON');
  expect(problemsOf({ ...good, OIDC_ALLOW_HTTP: 'true', MONEY: 'real' })).toContain(
    'OIDC_ALLOW_HTTP=true is for development',
  );
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

it('NATS and Redis on another machine need credentials, or a setting that allows none', () => {
  const open = { NATS_URL: 'nats://nats:4222', REDIS_URL: 'redis://10.0.0.7:6379' };
  const text = problemsOf({ ...good, ...open });
  expect(text).toContain('2 problem(s)');
  expect(text).toContain('NATS_URL names another machine and holds no credentials');
  expect(text).toContain('nats://rialto:PASSWORD@HOST:4222');
  expect(text).toContain('REDIS_URL names another machine and holds no credentials');
  expect(problemsOf({ ...good, ...open, ALLOW_UNAUTHENTICATED_BUS: 'true' })).toBe('');
  expect(problemsOf({ ...good, ...open, ALLOW_UNAUTHENTICATED_BUS: 'yes' })).not.toBe('');
});

it.each([
  ['nats://rialto:pass@nats:4222', 'redis://:pass@redis:6379', 0],
  ['nats://token@nats:4222', 'rediss://user:pass@redis', 0],
  ['nats://127.0.0.1:4222', 'redis://localhost:6379', 0],
  ['nats://[::1]:4222', 'redis://127.3.4.5', 0],
  ['tls://nats.example:4222', 'redis://:p@redis', 1],
  ['nats://rialto@nats', 'redis://user@redis', 1],
  ['nats://:pass@nats', 'redis://redis', 2],
  ['nats://localhost.evil.example', 'redis://127.0.0.1.evil.example', 2],
  ['nats://0.0.0.0:4222', 'redis://[::]:6379', 2],
])('%s and %s are open to strangers: %i', (NATS_URL, REDIS_URL, count) => {
  const text = problemsOf({ ...good, NATS_URL, REDIS_URL });
  expect(text.split('holds no credentials').length - 1).toBe(count);
  expect(text).not.toContain('pass@');
});

it('proxies are named by address, and the removed setting that counted them says what to do now', () => {
  expect(loadConfig({ ...good, TRUSTED_PROXIES: '10.0.0.5, fd00::/8' }).TRUSTED_PROXIES).toBe(
    '10.0.0.5, fd00::/8',
  );
  expect(problemsOf({ ...good, TRUSTED_PROXIES: '10.0.0.5,proxy.example' })).toContain(
    'TRUSTED_PROXIES must be addresses or ranges, comma-separated, such as 10.0.0.5,fd00::/8: "proxy.example" is no address.',
  );
  expect(problemsOf({ ...good, TRUSTED_PROXY_HOPS: '1' })).toContain(
    'TRUSTED_PROXY_HOPS is no longer a setting: it trusted every client',
  );
  expect(problemsOf({ ...good, TRUSTED_PROXY_HOPS: '0' })).toBe('');
});

it.each(['a.b', 'a.>', '*', 'a b', 'ä', 'x'.repeat(65)])(
  'an installation cannot be called "%s", which NATS would read otherwise',
  (name) => {
    expect(problemsOf({ ...good, INSTALLATION: name })).toContain('INSTALLATION');
    expect(loadConfig({ ...good, INSTALLATION: 'staging_2-b' }).INSTALLATION).toBe('staging_2-b');
  },
);
