// A private OpenLDAP server with throw-away data, for tests of sign-in with a directory.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { EngineProcess } from '../platform/engines/engine.ts';
import { findBinaries, requireBinary, type EngineHome } from '../platform/engines/process.ts';

const SUFFIX = 'dc=example,dc=org';
const PEOPLE = `ou=people,${SUFFIX}`;
const SEARCHER = `cn=admin,${SUFFIX}`;
const SEARCHER_PASSWORD = 'the password of the searcher';
const INSTALL = 'Install OpenLDAP’s server: "apt install slapd" on Debian and Ubuntu.';

/** Whether to run the tests of directories: where slapd is installed, and always in CI. */
export const hasSlapd = findBinaries(['slapd']).length > 0 || process.env['CI'] === 'true';

export interface DirectoryPerson {
  readonly uid: string;
  readonly mail?: string | readonly string[];
  readonly cn?: string;
  readonly password?: string;
}

export interface PrivateDirectory {
  readonly url: string;
  /** The certificate of its authority. */
  readonly caFile: string;
  /** The settings of a server that uses it. */
  readonly settings: Record<string, string>;
  add(person: DirectoryPerson): Promise<void>;
  /** Removes a person's entry. */
  drop(uid: string): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  remove(): Promise<void>;
}

export async function startDirectory(): Promise<PrivateDirectory> {
  let caFile = '';
  const engine = await EngineProcess.start(
    { name: 'OpenLDAP', users: ['openldap'], orderly: 'SIGTERM', quick: 'SIGTERM' },
    (home) => {
      const command = requireBinary(['slapd'], home.account, INSTALL);
      caFile = makeCertificates(home);
      return {
        command,
        configure: (port) => [
          '-f',
          home.write('slapd.conf', configuration(home)),
          '-h',
          `ldap://127.0.0.1:${port}/`,
          // In the foreground, and silent.
          '-d',
          '0',
        ],
        probe: (port) => asSearcher(`ldap://127.0.0.1:${port}`, async () => {}),
      };
    },
  );
  const url = `ldap://127.0.0.1:${engine.port}`;
  await asSearcher(url, async (client) => {
    await client.add(SUFFIX, {
      objectClass: ['dcObject', 'organization'],
      dc: 'example',
      o: 'Example',
    });
    await client.add(PEOPLE, { objectClass: 'organizationalUnit', ou: 'people' });
  });
  return {
    url,
    caFile,
    settings: {
      LDAP_URL: url,
      LDAP_CA_FILE: caFile,
      LDAP_BASE: PEOPLE,
      LDAP_BIND_DN: SEARCHER,
      LDAP_BIND_PASSWORD: SEARCHER_PASSWORD,
    },
    add: (person) => asSearcher(url, (client) => addPerson(client, person)),
    drop: (uid) => asSearcher(url, (client) => client.del(`uid=${uid},${PEOPLE}`)),
    stop: () => engine.stop(),
    restart: () => engine.restart(),
    remove: () => engine.remove(),
  };
}

async function addPerson(
  client: Client,
  { uid, mail, cn = uid, password }: DirectoryPerson,
): Promise<void> {
  await client.add(`uid=${uid},${PEOPLE}`, {
    objectClass: 'inetOrgPerson',
    uid,
    cn,
    sn: cn,
    ...(mail !== undefined && { mail: [mail].flat() }),
    ...(password !== undefined && { userPassword: password }),
  });
}

async function asSearcher(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ url, timeout: 5000, connectTimeout: 5000 });
  try {
    await client.bind(SEARCHER, SEARCHER_PASSWORD);
    await work(client);
  } finally {
    await client.unbind().catch(() => {});
  }
}

function configuration(home: EngineHome): string {
  const data = join(home.folder, 'data');
  home.makeFolder(data);
  const schema = (name: string) => `include /etc/ldap/schema/${name}.schema`;
  return [
    ...['core', 'cosine', 'inetorgperson'].map(schema),
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    `pidfile ${join(home.folder, 'slapd.pid')}`,
    `TLSCACertificateFile ${join(home.folder, 'ca.pem')}`,
    `TLSCertificateFile ${join(home.folder, 'server.pem')}`,
    `TLSCertificateKeyFile ${join(home.folder, 'server.key')}`,
    // As in many real directories: a name without a password is accepted as an anonymous bind.
    'allow bind_anon_cred bind_anon_dn',
    'database mdb',
    'maxsize 10485760',
    `suffix "${SUFFIX}"`,
    `rootdn "${SEARCHER}"`,
    `rootpw "${SEARCHER_PASSWORD}"`,
    `directory ${data}`,
    'dbnosync',
    '',
  ].join('\n');
}

/** Makes a self-signed certificate, which is both the authority's and the server's. Returns the authority's file. */
function makeCertificates(home: EngineHome): string {
  const file = (name: string) => join(home.folder, name);
  const { status, stderr } = spawnSync('openssl', [
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1'.split(' '),
    ...'-addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:TRUE'.split(' '),
    '-keyout',
    file('server.key'),
    '-out',
    file('server.pem'),
  ]);
  if (status !== 0) throw new Error(`openssl made no certificate: ${stderr.toString()}`);
  spawnSync('cp', [file('server.pem'), file('ca.pem')]);
  for (const name of ['server.key', 'server.pem', 'ca.pem']) home.own(file(name));
  return file('ca.pem');
}
