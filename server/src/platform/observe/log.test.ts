import { expect, it } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { ConfigSchema } from '../config/schema.ts';
import { isSecretSetting, SECRET_SETTINGS, secretValues } from '../config/secrets.ts';
import { createLog, type LogOptions } from './log.ts';
import { VERSION } from './version.ts';

const CANARY = 'canary-4f1d-of-a-setting';

function written(write: (log: ReturnType<typeof createLog>) => void, options: LogOptions = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLog('trace', {}, { ...options, destination }));
  return lines.join('');
}

it('every secret setting is hidden by its name, at the top and two levels deep', () => {
  expect(SECRET_SETTINGS).toContain('S3_SECRET_ACCESS_KEY');
  for (const name of SECRET_SETTINGS) {
    const text = written((log) => {
      log.info({ [name]: CANARY });
      log.info({ config: { [name]: CANARY } });
      log.info({ ctx: { config: { [name]: CANARY } } });
    });
    expect(text.match(/\[hidden\]/g), name).toHaveLength(3);
    expect(text, name).not.toContain(CANARY);
  }
});

it('a setting with a secret-sounding name is marked as secret, unless it is a known exception', () => {
  // Addresses and names that everybody may know.
  const open = new Set([
    'PUBLIC_URL',
    'TERMS_URL',
    'LDAP_URL',
    'PUSH_RELAY_URL',
    'WEB_PUSH_PUBLIC_KEY',
    'S3_ACCESS_KEY_ID',
    // A switch.
    'OPERATOR_SECRET_FALLBACK',
  ]);
  const sounding = Object.keys(ConfigSchema.properties).filter((name) =>
    /KEY|PASSWORD|SECRET|TOKEN|_URL$/.test(name),
  );
  const unmarked = sounding.filter((name) => !open.has(name) && !isSecretSetting(name));
  expect(unmarked, 'give them `...SECRET` in the schema').toEqual([]);
});

it('a secret of the configuration is hidden in messages, errors and at any depth', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgres://u:pass%2Fword-of-the-database@127.0.0.1/db',
    MASTER_KEY: 'ab'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1:25',
    MAIL_FROM: 'a@example.com',
    SMTP_PASSWORD: 'quo"ted-of-the-mail',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: CANARY,
  });
  const hidden = secretValues(config);
  const text = written(
    (log) => {
      log.info(`it was ${CANARY}`);
      log.error({ err: new Error(`connect ${config.DATABASE_URL}`) }, 'away');
      log.error({ err: new Error('cause', { cause: new Error('pass/word-of-the-database') }) });
      log.info({ a: { b: { c: { d: [{ e: 'quo"ted-of-the-mail', f: config.MASTER_KEY }] } } } });
    },
    { hidden },
  );
  for (const part of [CANARY, 'word-of-the-database', 'ted-of-the-mail', 'ab'.repeat(32)]) {
    expect(text).not.toContain(part);
  }
  expect(text).toContain('away');
  for (const line of text.trim().split('\n'))
    expect(() => JSON.parse(line) as unknown).not.toThrow();
});

it('empty values and values too short to be a secret hide nothing', () => {
  const config = loadConfig({
    DATABASE_URL: 'postgres://127.0.0.1/db',
    MASTER_KEY: 'ab'.repeat(32),
  });
  expect(secretValues(config)).toEqual([config.MASTER_KEY]);
});

it('a line has the name of its level and the release that wrote it', () => {
  const line = JSON.parse(written((log) => log.warn('careful'))) as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'warn', version: VERSION, msg: 'careful' });
  const child = JSON.parse(written((log) => log.child({ part: 1 }).fatal('over'))) as object;
  expect(child).toMatchObject({ level: 'fatal', part: 1 });
});
