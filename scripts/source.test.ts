// Lists code patterns that are safe only after review. Each place is named here with the reason why
// it is safe, and a new place fails this test until it is listed.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../server/src/', import.meta.url));

const files = globSync('**/*.ts', { cwd: SOURCE })
  .filter((file) => !/test|testing\/|schema\.generated/.test(file))
  .map((file) => ({ file, text: readFileSync(`${SOURCE}${file}`, 'utf8') }));

/** SQL built from strings instead of parameters. */
const BUILT_SQL = /\bsql\.raw\(|\bCompiledQuery\.raw\(|\bquery(?:<[^()]*>)?\(\s*`[^`]*\$\{/;
const SQL_FROM = {
  'accounts/audit/store.ts': 'nouns from a list in the file, as an index has them',
  'chat/messages/fetching/candidates.ts':
    'one of two words, names from constants of the file, and a constant number',
  'platform/db/prepared.ts': 'a constant',
  'platform/db/read-within.ts': 'a whole number of milliseconds',
  'platform/db/role-check.ts': 'names of attributes from a list in the file',
  'platform/db/server-role.ts':
    'the name of a role and a password, escaped as such; GRANT takes no parameters',
  'platform/processes.ts': 'one of two words, and a constant',
  'platform/realtime/store.ts': 'a constant',
  'trading/audit/solvency.ts': 'constants',
  'trading/engine/overview.ts': 'a constant',
  'trading/projections/projector.ts': 'a constant number',
  'trading/projections/store.ts': 'a constant, and one of two words',
  'trading/public-log/follower.ts': 'a constant number',
  'trading/public-log/store.ts': 'constants',
  'platform/engines/postgres.ts': 'roles of a private server of tests and the demo',
  'ops/commands/admin/master-key.ts': 'names from constants of the features',
  'trading/orders/store.ts': 'one of two words',
  'trading/order-tables.ts': 'names of tables and columns from constants',
  'trading/trades/store.ts': 'one of two words',
  'trading/projections/days.ts': 'the same',
  'trading/projections/archive/fills.ts': 'constants of the file',
  'trading/projections/archive/run.ts': 'a constant number, and names of tables from constants',
  'trading/projections/archive/write.ts':
    'statements and names of tables from constants, the name of a cursor, and a number',
  'trading/projections/ledger/pages.ts':
    'names of columns and tables from constants, and places of parameters',
  'trading/projections/ledger/totals.ts': 'the same',
  'trading/projections/rebuild.ts': 'a constant number',
  'trading/trade-tables.ts': 'a constant',
  'trading/projections/audit.ts': 'names of tables from a list in the source',
  'trading/projections/schema.ts': 'the same, and numbers',
};

/** Patterns built from strings that are not literals. */
const BUILT_PATTERN = /\bnew RegExp\(|[^.\w]RegExp\(/;
const PATTERN_FROM = {
  'chat/http/params.ts': 'patterns of declared schemas',
  'trading/http/params.ts': 'the same',
  'chat/channels/subscriptions/colors.ts': 'a constant',
  'chat/messages/message/joins.ts': 'names from a list in the file',
  'trading/coins/rules.ts':
    'only built, to see that it can be; what people send is matched in linear time by re2js',
  'trading/sub-accounts/actions.ts': 'the pattern of the declared schema',
  'web/trading-keys.ts': 'the pattern of the declared schema',
  'chat/text/markdown/texts.ts': 'constants put together for reading',
};

/** Code that is loaded or built from a string. */
const BUILT_CODE = /\beval\(|\bnew Function\(|\bcreateRequire\b|\bimport\((?!\s*['"])/;
const CODE_FROM = {
  'ops/doctor/neighbours.ts': 'the script of the limiter, which Redis runs',
  'platform/engines/postgres.ts': 'where a package of binaries lies',
  'chat/text/markdown/code.ts': 'highlight.js by its name, when a message first needs it',
  'chat/text/markdown/math.ts': 'katex by its name, when a message first needs it',
};

const placesOf = (pattern: RegExp): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

it('scans the whole server, and finds what it looks for', () => {
  expect(files.length).toBeGreaterThan(500);
  expect('pool.query(`SELECT * FROM ${name}`)').toMatch(BUILT_SQL);
  expect('pool.query<{ a: 1 }>(`SELECT $1`, [name])').not.toMatch(BUILT_SQL);
  expect('sql`SELECT ${name}`').not.toMatch(BUILT_SQL);
  expect('new RegExp(text)').toMatch(BUILT_PATTERN);
  expect("await import('./store.ts')").not.toMatch(BUILT_CODE);
  expect('await import(path)').toMatch(BUILT_CODE);
});

it.each([
  ['SQL is built from strings', BUILT_SQL, SQL_FROM],
  ['a pattern is built from a string', BUILT_PATTERN, PATTERN_FROM],
  ['code is loaded by a string', BUILT_CODE, CODE_FROM],
])('%s only in reviewed places', (_what, pattern, known) => {
  expect(placesOf(pattern).toSorted((a, b) => a.localeCompare(b))).toEqual(
    Object.keys(known).toSorted((a, b) => a.localeCompare(b)),
  );
});
