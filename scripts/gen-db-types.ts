// Writes server/src/platform/db/schema.generated.ts from a freshly migrated database, so that the types
// follow the migrations. `--check` compares instead of writing.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startPostgres } from '../server/src/platform/engines/postgres.ts';

const target = fileURLToPath(
  new URL('../server/src/platform/db/schema.generated.ts', import.meta.url),
);
const postgres = await startPostgres();
try {
  await migrate(postgres.ownerUrl);
  const result = spawnSync(
    process.execPath,
    [
      fileURLToPath(new URL('../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url)),
      '--url',
      postgres.ownerUrl,
      '--dialect',
      'postgres',
      '--camel-case',
      '--default-schema',
      'public',
      '--include-pattern',
      'public.*',
      '--exclude-pattern',
      'public.{migrations,event_log_*,request_claims_*,messages_from_*}',
      '--type-mapping',
      JSON.stringify({ int8: 'bigint', xid8: 'string' }),
      '--out-file',
      target,
      ...(process.argv.includes('--check') ? ['--verify'] : []),
    ],
    { encoding: 'utf8' },
  );
  if (result.status !== 0) {
    console.error(`${result.stdout}${result.stderr}`);
    console.error('The database types are not fresh. Run: npm run gen');
    process.exitCode = 1;
  }
} finally {
  await stopAllEngines();
}
