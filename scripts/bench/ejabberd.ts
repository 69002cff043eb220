// A private ejabberd, from Debian's package, with one room whose archive is in a database of the given PostgreSQL.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { launchServer, type PrivateServer } from '../../server/src/platform/engines/engine.ts';
import { converse, requireBinary } from '../../server/src/platform/engines/process.ts';
import { OPENING } from './xmpp.ts';

const INSTALL =
  'Install ejabberd and its driver: "apt install ejabberd erlang-p1-pgsql" on Debian and Ubuntu.';
const DATABASE = 'ejabberd';
const TABLES = '/usr/share/ejabberd/sql/pg.sql';

export const OCCUPANTS_MAX = 10_000;

/** `ownerUrl` is for the superuser of a PostgreSQL. */
export async function startEjabberd(ownerUrl: string): Promise<PrivateServer> {
  const [modules] = globSync('/usr/lib/*/ejabberd-*/ebin');
  if (modules === undefined || !existsSync(TABLES)) throw new Error(INSTALL);
  await createArchive(ownerUrl);
  return launchServer(
    'ejabberd',
    {},
    (home) => ({
      port: undefined,
      command: requireBinary(['erl'], home.account, INSTALL),
      configure: (port) => {
        // What matters of the package's own start script, without its fixed folders and user.
        const options = {
          '-mnesia dir': join(home.folder, 'mnesia'),
          '-ejabberd config': home.write('ejabberd.yml', settings(port, ownerUrl)),
          '-ejabberd log_path': join(home.folder, 'ejabberd.log'),
        };
        return [
          '-noinput',
          '-pa',
          modules,
          ...Object.entries(options).flatMap(([name, value]) => [...name.split(' '), `"${value}"`]),
          ...'+K true +P 250000 +Q 65536 -s ejabberd'.split(' '),
        ];
      },
      probe: (port) => converse(port, OPENING, 'ANONYMOUS'),
    }),
    (port) => `xmpp://127.0.0.1:${port}`,
  );
}

async function createArchive(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${DATABASE}`);
  await owner.end();
  const url = new URL(ownerUrl);
  url.pathname = `/${DATABASE}`;
  const archive = new pg.Client({ connectionString: url.href });
  await archive.connect();
  await archive.query(readFileSync(TABLES, 'utf8'));
  await archive.end();
}

/**
 * Nobody is told who comes and goes: with thousands of occupants that alone would be millions of stanzas, and our
 * side tells nobody either.
 */
function settings(port: number, ownerUrl: string): string {
  const { hostname, port: sqlPort, username, password } = new URL(ownerUrl);
  return `
hosts: [localhost]
loglevel: error
listen:
  - port: ${port}
    ip: "127.0.0.1"
    module: ejabberd_c2s
    shaper: none
    access: all
auth_method: [anonymous]
anonymous_protocol: sasl_anon
sql_type: pgsql
sql_server: "${hostname}"
sql_port: ${sqlPort}
sql_database: ${DATABASE}
sql_username: "${username}"
sql_password: "${decodeURIComponent(password)}"
sql_pool_size: 10
modules:
  mod_mam:
    db_type: sql
    default: never
  mod_muc:
    access: all
    access_create: all
    max_users: ${OCCUPANTS_MAX}
    history_size: 0
    default_room_options:
      mam: true
      max_users: ${OCCUPANTS_MAX}
      presence_broadcast: []
`;
}
