// No secret of the configuration appears anywhere: each is planted, everything that can fail with it fails, and
// all output is searched.
import { randomBytes } from 'node:crypto';
import webPush from 'web-push';
import { expect, inject, it } from 'vitest';
import { chatClient } from '../testing/chat/client.ts';
import { notifyBrowsers } from '../chat/notifications/web-push/sending.ts';
import { createKeyPair } from '../accounts/audit/head.ts';
import { loadConfig } from '../platform/config/load.ts';
import { SECRET_SETTINGS, secretValues } from '../platform/config/secrets.ts';
import { createFiles } from '../platform/files/create.ts';
import { createLog } from '../platform/observe/log.ts';
import { callRelay } from '../platform/push/relay.ts';
import { testEnvironment } from '../testing/context.ts';
import { cloneDatabase } from '../testing/database.ts';
import { openBrowser, hiddenFields } from '../testing/browser.ts';
import { examplePerson } from '../testing/example.ts';
import { startTestServer } from '../testing/server.ts';
import { renderConfig, renderSettings, reportConfig } from './commands/config.ts';
import { runDoctor } from './doctor/run.ts';
import { explain } from './trouble.ts';

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';

const canary = (): string => `canary${randomBytes(12).toString('hex')}`;

it('no secret setting is in a log line, an answer, a metric, a finding of doctor or an error', async () => {
  const database = await cloneDatabase(inject('postgresUrl'));
  const keys = webPush.generateVAPIDKeys();
  const settings: Record<string, string> = {
    LOG_LEVEL: 'trace',
    MASTER_KEY: randomBytes(32).toString('hex'),
    MASTER_KEY_PREVIOUS: randomBytes(32).toString('hex'),
    AUDIT_SIGNING_KEY: createKeyPair().privateKey,
    PUBLIC_SIGNING_KEY: createKeyPair().privateKey,
    LDAP_URL: `ldap://${NOWHERE}`,
    LDAP_BASE: 'dc=example,dc=org',
    LDAP_BIND_DN: 'cn=searcher',
    LDAP_BIND_PASSWORD: canary(),
    SMTP_URL: `smtp://someone:${canary()}@${NOWHERE}`,
    SMTP_USER: 'someone',
    SMTP_PASSWORD: canary(),
    MAIL_FROM: 'rialto@example.com',
    PUSH_RELAY_URL: `http://${NOWHERE}`,
    PUSH_RELAY_ORG_ID: 'id',
    PUSH_RELAY_ORG_KEY: canary(),
    WEB_PUSH_PUBLIC_KEY: keys.publicKey,
    WEB_PUSH_PRIVATE_KEY: keys.privateKey,
    WEB_PUSH_CONTACT: 'mailto:a@example.com',
    WEB_PUSH_ALLOW_PRIVATE: 'true',
    SCREENING_URL: `http://${NOWHERE}/${canary()}`,
  };
  const beyond: Record<string, string> = {
    S3_BUCKET: 'bucket',
    S3_ENDPOINT: `http://${NOWHERE}`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: canary(),
    NATS_URL: `nats://someone:${canary()}@${NOWHERE}`,
    REDIS_URL: `redis://:${canary()}@${NOWHERE}`,
  };
  const environment = testEnvironment(database.url, { ...settings, ...beyond });
  const everything = loadConfig(environment);
  for (const name of SECRET_SETTINGS) {
    expect((everything as Record<string, unknown>)[name], `${name} is planted here`).not.toBe('');
    expect((everything as Record<string, unknown>)[name], `${name} is planted here`).toBeDefined();
  }
  const said: string[] = [];
  const destination = { write: (line: string) => void said.push(line) };
  const log = createLog('trace', {}, { hidden: secretValues(everything), destination });
  const server = await startTestServer({
    databaseUrl: database.url,
    settings,
    log,
    withJobs: true,
  });
  try {
    const ada = await examplePerson(server.ctx, { password: 'a long enough secret' });
    const keep = (value: unknown) => said.push(JSON.stringify(value) ?? '');
    const asked = await chatClient(server).post('/fetch_api_key', { username: 'x', password: 'y' });
    expect(asked.status).toBe(503);
    keep([asked.body, [...asked.headers]]);
    // Mail that cannot be sent.
    const browser = openBrowser(server);
    const { text } = await browser.get('/accounts/login/device/');
    const form = { ...hiddenFields(text), email: ada.email };
    keep((await browser.post('/accounts/login/device/', form)).text);
    await expect
      .poll(() => said.filter((line) => line.includes('"job"')).join(''), { timeout: 20_000 })
      .toContain('deliver-letter');
    // A relay, a push service and a store that are down.
    await callRelay(server.ctx.config, 'push/notify', {}).catch((error: unknown) =>
      log.error({ err: error }, 'relay'),
    );
    const subscription = {
      endpoint: `http://${NOWHERE}/x`,
      p256dh:
        'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB',
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    };
    keep(await chatClient(server, ada).post('/users/me/web_push_subscriptions', subscription));
    await notifyBrowsers(server.ctx, ada.id, { type: 'test' }, { isShown: true });
    const files = await createFiles(everything);
    await files.prepare().catch((error: unknown) => log.error({ err: error }, 'files'));
    files.close();
    // Careless log lines.
    log.error({ err: new Error(`cannot use ${JSON.stringify(everything)}`), config: everything });
    log.info({ deep: { in: { an: { object: everything } } } }, everything.DATABASE_URL);
    keep((await server.ctx.metrics.render()).body);
    keep(renderSettings());
    keep(renderConfig(reportConfig(environment)));
    // The doctor, whose services are all down or refuse.
    for (const asJson of [true, false]) said.push((await runDoctor(environment, asJson)).text);
    const refused = new URL(database.url);
    refused.password = 'another-password';
    said.push((await runDoctor({ ...environment, DATABASE_URL: refused.href }, true)).text);
    expect(said.join('\n')).not.toContain('another-password');
    // Values that are not allowed.
    const bad = Object.fromEntries(
      SECRET_SETTINGS.map((name) => [name, ` ${canary()} not allowed`]),
    );
    try {
      loadConfig({ ...environment, ...bad });
    } catch (error) {
      keep([String(error), explain(error)]);
    }
    const secrets = [
      ...secretValues(everything),
      ...Object.values(bad).map((value) => value.trim().split(' ')[0] ?? ''),
    ];
    expect(secrets.length).toBeGreaterThanOrEqual(2 * SECRET_SETTINGS.length - 1);
    const all = said.join('\n');
    expect(all.length).toBeGreaterThan(10_000);
    expect(secrets.filter((secret) => all.includes(secret)).map((secret) => secret.length)).toEqual(
      [],
    );
  } finally {
    await server.close();
    await database.drop();
  }
}, 90_000);
