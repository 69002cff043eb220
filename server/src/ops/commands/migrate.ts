// `rialto migrate`: brings the database up to date and grants the server's role its rights.

import { loadConfig } from '../../platform/config/load.ts';
import type { Config } from '../../platform/config/schema.ts';
import { migrate, type Migrated } from '../../platform/db/migrate.ts';
import type { RoleNames } from '../../platform/db/server-role.ts';
import { connectOnce } from '../database.ts';
import type { Environment } from '../environment.ts';

/** Brings the database up to date and returns lines that say what was done. */
export async function runMigrate(environment: Environment): Promise<string[]> {
  const { applied, roles, wasRoleMade } = await migrateAsOwner(loadConfig(environment));
  return [
    ...applied.map((name) => `Applied ${name}.`),
    'The database is up to date.',
    ...(wasRoleMade ? [`Made the role "${roles.server}".`] : []),
    roles.server === roles.owner ? oneRoleText(roles) : grantedText(roles),
  ];
}

/** As the owner, if there is one besides the server's role. */
export async function migrateAsOwner(config: Config): Promise<Migrated> {
  const name = config.DATABASE_OWNER_URL === '' ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  // Connecting first gives a wrong address or password its own message.
  await (await connectOnce(config[name], name)).end();
  return migrate(config[name], config.DATABASE_URL);
}

const grantedText = ({ owner, server }: RoleNames): string =>
  `The server works as "${server}", which may do what it needs and owns nothing; the owner is "${owner}".`;

const oneRoleText = ({ owner }: RoleNames): string =>
  `The server works as "${owner}", which owns the database: an attacker who takes over the server can delete the journal ` +
  'and the audit log. Give it a role of its own: set DATABASE_OWNER_URL to what DATABASE_URL is now, name a ' +
  'new role in DATABASE_URL, and run `rialto migrate` again (docs/operating/upgrades.md).';
