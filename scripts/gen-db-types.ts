// Writes server/src/platform/db/schema.generated.ts and shape.generated.json from a freshly migrated database, so
// that the types, and what `rialto doctor` expects, follow the migrations. `--check` compares instead of writing.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { stopAllEngines } from '../server/src/platform/engines/engine.ts';
import { startPostgres } from '../server/src/platform/engines/postgres.ts';
import { compareShapes, readShape, type SchemaShape } from '../server/src/platform/db/shape.ts';
import pg from 'pg';

const target = fileURLToPath(
  new URL('../server/src/platform/db/schema.generated.ts', import.meta.url),
);
const shapeFile = fileURLToPath(
  new URL('../server/src/platform/db/shape.generated.json', import.meta.url),
);
const isCheck = process.argv.includes('--check');

/** Returns whether the file matches the migrations. */
async function followShape(ownerUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const shape = await readShape(client);
    if (isCheck) return isSame(shape, JSON.parse(readFileSync(shapeFile, 'utf8')) as SchemaShape);
    const { postgres: major, pieces } = shape;
    // One item per line, so that diffs are readable.
    const lines = Object.entries(pieces).map(
      ([name, definition]) => `${JSON.stringify(name)}: ${JSON.stringify(definition)}`,
    );
    writeFileSync(shapeFile, `{\n"postgres": ${major},\n"pieces": {\n${lines.join(',\n')}\n}\n}\n`);
    return true;
  } finally {
    await client.end();
  }
}

/** Another version of PostgreSQL may format texts differently. */
const isSame = (one: SchemaShape, other: SchemaShape): boolean =>
  Object.keys(one.pieces).every((piece) => piece in other.pieces) &&
  Object.values(compareShapes(other, one)).every((pieces) => pieces.length === 0);

const postgres = await startPostgres();
try {
  await migrate(postgres.ownerUrl, postgres.serverUrl);
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
      ...(isCheck ? ['--verify'] : []),
    ],
    { encoding: 'utf8' },
  );
  const isShapeFresh = await followShape(postgres.ownerUrl);
  if (result.status !== 0 || !isShapeFresh) {
    console.error(`${result.stdout}${result.stderr}`);
    console.error('The database types are not fresh. Run: npm run gen');
    process.exitCode = 1;
  }
} finally {
  await stopAllEngines();
}
