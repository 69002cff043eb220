import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingSchemas } from './schema.ts';
import { findSettingWarnings } from './warnings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-warnings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const whats = (environment: Record<string, string>, envFile = 'no such file') =>
  findSettingWarnings(environment, envFile).map(({ what }) => what);

describe('a name that is not a setting', () => {
  it.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['MASTERKEY', 'MASTER_KEY'],
    ['MASTER_KEY_FLIE', 'MASTER_KEY_FILE'],
    ['PROT', 'PORT'],
    ['DATABASE_POOL_MXA', 'DATABASE_POOL_MAX'],
    ['CHAT_RATE_LIMITS', 'CHAT_RATE_LIMIT'],
  ])('%s is reported with the likely intended name', (name, meant) => {
    expect(whats({ [name]: 'x' })).toEqual([`${name} is not a setting; ${meant} is.`]);
  });

  it('is reported if it begins like ours', () => {
    expect(whats({ RIALTO_COLOUR: 'red', SIGN_IN_WITH_A_SONG: 'la' })).toEqual([
      'RIALTO_COLOUR is not a setting.',
      'SIGN_IN_WITH_A_SONG is not a setting.',
    ]);
  });

  it('ignores variables of other programs, valid settings and empty values', () => {
    const others = [
      ...'HOME PATH USER HOSTNAME LANG TERM PWD SHLVL LOGNAME TZ REDIS_PORT REDIS_SERVICE_HOST NATS_PORT_4222_TCP POSTGRES_PASSWORD CI NODE_ENV NODE_OPTIONS npm_config_cache KUBERNETES_PORT DATABASE_HOST RIALTO_OPERATOR RIALTO_OPERATOR_SECRET RIALTO_OPERATOR_SECRET_FILE INVOCATION_ID DEBUG'.split(
        ' ',
      ),
      ...settingSchemas().flatMap(([name]) => [name, `${name}_FILE`]),
    ];
    expect(whats(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
    expect(whats({ SMPT_URL: '' })).toEqual([]);
  });

  it('is one of twenty at most, however many there are, and however long', () => {
    expect(whats({ [`RIALTO_${'y'.repeat(1e6)}`]: 'x' })).toEqual([]);
    const short = Array.from({ length: 500 }, (_, n) => [`RIALTO_${n}`, 'x']);
    expect(whats(Object.fromEntries(short))).toHaveLength(20);
  });
});

it('a file of a secret that everybody can read is named, and so is .env', () => {
  const file = join(folder, 'master.key');
  writeFileSync(file, 'ab'.repeat(32));
  const env = join(folder, '.env');
  writeFileSync(env, 'PORT=8080');
  for (const mode of [0o600, 0o640, 0o400]) {
    chmodSync(file, mode);
    chmodSync(env, mode);
    expect(whats({ MASTER_KEY_FILE: file }, env)).toEqual([]);
  }
  chmodSync(file, 0o644);
  chmodSync(env, 0o604);
  const found = findSettingWarnings({ MASTER_KEY_FILE: file }, env);
  expect(found.map(({ what }) => what)).toEqual([
    `MASTER_KEY_FILE ${file} can be read by everybody on this machine (mode 0644).`,
    `The file ${env} can be read by everybody on this machine (mode 0604).`,
  ]);
  expect(found[0]?.fix).toContain(`chmod 600 ${file}`);
  // A file without secrets may be readable, and a missing file is another problem.
  expect(whats({ LDAP_CA_FILE: file, MASTER_KEY_FILE: join(folder, 'none') })).toEqual([]);
});
