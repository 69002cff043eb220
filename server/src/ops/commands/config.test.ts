import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderConfig, renderSettings, reportConfig } from './config.ts';

it('the settings in force are shown with their source, and without secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-in-force-'));
  try {
    const file = join(folder, 'key');
    writeFileSync(file, `${'cd'.repeat(32)}\n`, { mode: 0o600 });
    const environment = {
      DATABASE_URL: 'postgres://server:hunter2@db.example:5432/rialto?token=hunter3',
      NATS_URL: 'nats://hunter4@10.0.0.7:4222',
      REDIS_URL: 'redis://127.0.0.1:6379',
      SMTP_PASSWORD: 'hunter5',
      MASTER_KEY_FILE: file,
      PORT: '9000',
      SMPT_URL: 'smtp://mail.example',
    };
    const report = reportConfig(environment, new Set(['PORT']));
    const of = (name: string) => report.settings.find((setting) => setting.name === name);
    expect(of('DATABASE_URL')).toMatchObject({
      value: 'postgres://***@db.example:5432/rialto',
      source: 'environment',
    });
    expect(of('NATS_URL')?.value).toBe('nats://***@10.0.0.7:4222');
    expect(of('REDIS_URL')?.value).toBe('redis://127.0.0.1:6379');
    expect(of('MASTER_KEY')).toMatchObject({ value: '(hidden)', source: `file ${file}` });
    expect(of('PORT')).toMatchObject({ value: '9000', source: '.env' });
    expect(of('HOST')).toMatchObject({ value: '127.0.0.1', source: 'default' });
    expect(of('SMTP_URL')).toMatchObject({ value: '(empty)', source: 'default' });
    expect(report.problems).toEqual([]);
    expect(report.warnings.join()).toContain('SMPT_URL is not a setting; SMTP_URL is.');
    const text = renderConfig(report) + JSON.stringify(report);
    expect(text).toMatch(/^PORT +9000 +\.env$/m);
    for (const secret of ['hunter', 'cdcd']) expect(text).not.toContain(secret);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('wrong settings are shown beside valid ones', () => {
  const report = reportConfig({ PORT: 'eighty', MASTER_KYE: 'ab' });
  expect(report.settings.find(({ name }) => name === 'DATABASE_URL')?.value).toBe('(missing)');
  expect(renderConfig(report)).toContain(
    '✗ PORT must be a whole number from 0 to 65535, not "eighty"',
  );
  expect(report.problems.join()).toContain(
    'MASTER_KEY is missing (MASTER_KYE is set, which is not a setting)',
  );
});

it('the table of defaults names every setting', () => {
  expect(renderSettings()).toContain('| `HOST` | `127.0.0.1` |');
});
