// No container engine runs here, so the essentials of the image and of both shapes are read and checked.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { ConfigSchema } from '../server/src/platform/config/schema.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const read = (path: string) => readFileSync(root(path), 'utf8');

interface Service {
  profiles?: string[];
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  healthcheck?: { test?: string[]; disable?: boolean };
  build?: { dockerfile: string };
  volumes?: string[];
  read_only?: boolean;
  networks?: string[];
  entrypoint?: string[];
  user?: string;
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal: boolean }>;
};
const { services } = compose;
const ofProfile = (profile: string) =>
  Object.keys(services)
    .filter((name) => services[name]?.profiles?.includes(profile))
    .sort();

describe('compose.yaml', () => {
  it('has one server and PostgreSQL, or every role on its own with NATS and Redis', () => {
    expect(ofProfile('single')).toEqual(['migrate', 'postgres', 'server']);
    expect(ofProfile('cluster')).toEqual(
      ['api-1', 'api-2', 'migrate', 'nats', 'postgres', 'redis', 'relay', 'worker'].sort(),
    );
    // Without a profile a service would start in both shapes, and a server alone refuses company.
    expect(Object.values(services).every(({ profiles }) => profiles?.length)).toBe(true);
  });

  it('gives every Rialto process settings that it accepts', () => {
    for (const [name, { environment, build }] of Object.entries(services)) {
      if (build === undefined) continue;
      const settings = Object.fromEntries(
        Object.entries(environment ?? {}).map(([key, value]) => [key, filledIn(value)]),
      );
      expect(Object.keys(ConfigSchema.properties), name).toEqual(
        expect.arrayContaining(Object.keys(settings)),
      );
      const config = loadConfig(settings);
      // Whoever migrates speaks to the database only.
      const isAlone = name === 'server' || name === 'migrate';
      expect(config.NATS_URL === '', name).toBe(isAlone);
    }
  });

  it('starts a process only after the database is migrated', () => {
    for (const name of ['server', 'api-1', 'api-2', 'relay', 'worker']) {
      expect(services[name]?.depends_on?.['migrate']?.condition).toBe(
        'service_completed_successfully',
      );
    }
    expect(services['migrate']?.depends_on?.['postgres']?.condition).toBe('service_healthy');
  });

  it('gives the password of the owner to the database and to migrations only', () => {
    for (const [name, { environment = {} }] of Object.entries(services)) {
      const isTrusted = name === 'postgres' || name === 'migrate';
      expect(JSON.stringify(environment).includes('POSTGRES_PASSWORD'), name).toBe(isTrusted);
      if (environment['DATABASE_URL'] === undefined) continue;
      expect(new URL(filledIn(environment['DATABASE_URL'])).username, name).toBe('rialto_server');
    }
    const { DATABASE_OWNER_URL = '' } = services['migrate']?.environment ?? {};
    expect(new URL(filledIn(DATABASE_OWNER_URL)).username).toBe('rialto');
  });

  it('keeps PostgreSQL, NATS and Redis on a network without a way out, and publishes none of their ports', () => {
    expect(compose.networks['inside']).toEqual({ internal: true });
    for (const name of ['postgres', 'nats', 'redis', 'migrate']) {
      expect(services[name]?.networks, name).toEqual(['inside']);
      expect(services[name]?.ports, name).toBeUndefined();
    }
  });

  it('starts NATS and Redis with files that exist, with a password, and with none in a command line', () => {
    for (const name of ['nats', 'redis']) {
      const { entrypoint, environment, volumes = [], command, user } = services[name] ?? {};
      expect(entrypoint).toEqual(['sh', '/etc/rialto/start.sh']);
      expect(command).toBeUndefined();
      expect(user).not.toMatch(/^(root|0)?(:|$)/);
      expect(environment?.['BUS_PASSWORD']).toBe('${BUS_PASSWORD:-}');
      for (const volume of volumes) {
        const [from = '', , mode] = volume.split(':');
        expect(existsSync(root(from)), from).toBe(true);
        expect(mode).toBe('ro');
      }
      expect(read(`deploy/${name}/start.sh`)).toContain('${BUS_PASSWORD:?');
    }
    const script = services['redis']?.environment?.['ADMIT_SCRIPT'] ?? '';
    expect(script).toBe('/etc/rialto-windows/admit.lua');
    expect(existsSync(root('server/src/platform/windows/admit.lua'))).toBe(true);
    const address = new URL(filledIn(services['api-1']?.environment?.['REDIS_URL'] ?? ''));
    expect([address.username, address.password]).toEqual(['rialto', 'secret']);
  });

  it('lets the user of the server call the script in Redis, and bring none', () => {
    const users = read('deploy/redis/users.acl').trim().split('\n');
    expect(users.map((line) => line.split(' ')[1])).toEqual(['default', 'rialto', 'loader']);
    expect(users[0]).toContain(' off ');
    for (const line of users) {
      expect(line).toContain(' -@all');
      expect(line).not.toMatch(/\+@|allcommands|allkeys|~\*|nopass|\+eval /);
    }
  });

  it('opens ports on this machine only, and the two api processes on different ones', () => {
    const ports = ofProfile('cluster').flatMap((name) => services[name]?.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8081:8080']);
  });

  it('keeps only what PostgreSQL has and the files, and asks for secrets instead of containing them', () => {
    expect(Object.keys(compose.volumes)).toEqual(['postgres', 'uploads']);
    for (const { environment } of Object.values(services)) {
      for (const [key, value] of Object.entries(environment ?? {})) {
        if (/KEY|POSTGRES_PASSWORD|DATABASE_(OWNER_)?URL/.test(key)) expect(value).toContain(':?');
      }
    }
  });
});

/** What an operator sets; the cluster's secret is not asked for by the other shape, and is empty there. */
const GIVEN: Readonly<Record<string, string>> = {
  MASTER_KEY: 'ab'.repeat(32),
  BUS_PASSWORD: 'secret',
};

/** `${NAME:?why}` and `${NAME:-default}` as compose would fill them in. */
function filledIn(value: string): string {
  return value.replaceAll(
    /\$\{(\w+):([?-])([^}]*)\}/g,
    (_all, name: string, kind, rest: string) => GIVEN[name] ?? (kind === '-' ? rest : 'secret'),
  );
}

describe('the image', () => {
  const lines = read('deploy/Dockerfile').split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM '));

  it('is built in two stages on Node 24 and runs without root', () => {
    expect(stages).toHaveLength(2);
    for (const stage of stages) expect(stage).toMatch(/^FROM node:24-slim\b/);
    expect(lines).toContain('USER node');
    expect(lines.indexOf('USER node')).toBeGreaterThan(lines.lastIndexOf(stages[1] ?? ''));
  });

  it('installs production packages only, and copies only what exists and is sent', () => {
    expect(read('deploy/Dockerfile')).toContain('npm ci --omit=dev');
    const sent = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const line of lines.filter((one) => /^COPY (?!--from)/.test(one))) {
      for (const source of line.split(' ').slice(1, -1)) {
        expect(existsSync(root(source)), source).toBe(true);
        expect(
          sent.some((path) => source === path || source.startsWith(`${path}/`)),
          source,
        ).toBe(true);
      }
    }
  });

  it('is alive when its own address says so', () => {
    expect(read('deploy/Dockerfile')).toMatch(/HEALTHCHECK[^]*\/health\/live/);
    expect(read('deploy/Dockerfile')).toContain('ENTRYPOINT ["node", "server/bin/rialto.js"]');
  });
});
