// Reads every query of the server. What it cannot see: tables that the database's own functions and views touch.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TABLE_GRANTS } from './grants.ts';
import { READ_BY_OTHERS, TABLE_OWNERS, WRITTEN_BY_OTHERS, type Exceptions } from './owners.ts';

const SOURCE = fileURLToPath(new URL('../../', import.meta.url));

/** Tables that are named by a value: the callers name them as `table: '…'`, which counts as a write. */
const NAMED_BY_VALUE = [
  'ops/commands/admin/master-key.ts',
  'platform/db/own-list.ts',
  'platform/due/runner.ts',
];

const owners: Readonly<Record<string, string>> = TABLE_OWNERS;

type Kind = 'writes' | 'reads';
interface Use {
  readonly kind: Kind;
  readonly table: string;
}

const toCamel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const NAMES = [...new Set(Object.keys(owners).flatMap((name) => [name, toCamel(name)]))].join('|');

/** Words that say what is done, then the name of a table. */
const BUILDER = new RegExp(
  String.raw`\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|from|using|\w+Join(?:Lateral)?|table:)` +
    String.raw`(?:<[^()]*>)?(?:\(\s*(?:\[\s*)?|\s+)['"](${NAMES})(?: as \w+)?['"]`,
  'g',
);
const TEXT = new RegExp(
  String.raw`\b(INTO|UPDATE|DELETE\s+FROM|JOIN|FROM|USING|TABLE)\s+(?:ONLY\s+)?(${NAMES})\b`,
  'g',
);
/** Tables after the first in `FROM a x, b y`. */
const LISTED = new RegExp(
  String.raw`(?<=\b(FROM|USING)\b[^;\x60]*,\s*)(${NAMES})(?:\s+[a-z]\w*)?(?=\s*(?:,|\bWHERE\b|\bJOIN\b|\x60))`,
  'g',
);
const VALUE = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;
const WRITES = /^(?:insert|update|delete|merge|into|table:)/i;
const COMMENT = /^\s*(?:\/\/|\/\*|\*).*$|\s\/\/ .*$/gm;

function findUses(text: string): Use[] {
  const code = text.replaceAll(COMMENT, '');
  const found = [
    ...[BUILDER, TEXT].flatMap((pattern) => [...code.matchAll(pattern)]),
    // Commas inside of a value that is put into a query list no tables.
    ...code.replaceAll(VALUE, '').matchAll(LISTED),
  ];
  const uses = found.map(([, word = '', name = '']): Use => ({
    kind: WRITES.test(word) ? 'writes' : 'reads',
    table: toSnake(name),
  }));
  return [...new Map(uses.map((use) => [`${use.kind} ${use.table}`, use])).values()];
}

const files = globSync('**/*.ts', { cwd: SOURCE })
  .filter((file) => !/\.test\.ts$|(?:^|\/)test-|^testing\/|\.generated\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${SOURCE}${file}`, 'utf8') }));

const isWithin = (file: string, owner: string) => file === owner || file.startsWith(`${owner}/`);

const foreign = files.flatMap(({ file, text }) =>
  findUses(text)
    .filter(({ table }) => !isWithin(file, owners[table] ?? ''))
    .map((use) => ({ file, ...use })),
);

/** What to do about each use that is not listed, and about each listed one that is gone. */
function findTroubles(kind: Kind, exceptions: Exceptions): string[] {
  const listed = Object.entries(exceptions).flatMap(([file, { tables }]) =>
    tables.map((table) => `${file} ${table}`),
  );
  const uses = foreign.filter((use) => use.kind === kind);
  const found = new Set(uses.map(({ file, table }) => `${file} ${table}`));
  return [
    ...uses
      .filter(({ file, table }) => !listed.includes(`${file} ${table}`))
      .map(
        ({ file, table }) =>
          `${file} ${kind} ${table}, which belongs to ${owners[table]}: put the query into a function there and ` +
          'call that (through access.ts). If one statement must do it, list it in platform/db/owners.ts with the reason.',
      ),
    ...listed
      .filter((one) => !found.has(one))
      .map((one) => `${one}: this is not so any more. Take it out of platform/db/owners.ts.`),
  ];
}

const LOWER_CASE_SQL =
  /(?:\bsql(?:<[^\x60]*>)?|\bquery(?:<[^()]*>)?\(|\btext:)\s*[\x60'"]\s*(?:select|insert|update|delete|with)\s/;

const SAMPLES: readonly [string, ...string[]][] = [
  ["db.selectFrom('drafts')", 'reads drafts'],
  ["db.selectFrom(['userTopics as t', 'x'])", 'reads user_topics'],
  ["exists(selectFrom('auditLog').select('seq'))", 'reads audit_log'],
  ["query.innerJoin('users as u', 'u.id', 'x.id')", 'reads users'],
  ["tx.insertInto('drafts').values(row)", 'writes drafts'],
  ["tx.updateTable('messages')", 'writes messages'],
  ["tx\n  .deleteFrom('drafts')\n  .using('users')", 'writes drafts', 'reads users'],
  ["const LIST = { table: 'reminders' }", 'writes reminders'],
  ['sql`SELECT * FROM users u, messages m WHERE true`', 'reads users', 'reads messages'],
  ['sql`SELECT FROM unnest(${ids}) AS x, users u, drafts`', 'reads users', 'reads drafts'],
  ['sql`SELECT FROM event_head\n JOIN  users u ON true`', 'reads event_head', 'reads users'],
  ['sql`DELETE FROM drafts WHERE id = 1`', 'writes drafts'],
  ['sql`UPDATE ONLY users SET x = 1 FROM drafts`', 'writes users', 'reads drafts'],
  ['sql`INSERT INTO drafts SELECT FROM known_devices`', 'writes drafts', 'reads known_devices'],
  ['sql`SELECT FROM ${of(ids)} WHERE ${isVisible(id, users, { isOwn: true })}`'],
  ['// reads what is left FROM users'],
  ["throw new Error('nothing from users, no update drafts')"],
];

describe('tables have owners', () => {
  it('every table that the server may use has one, and the owners exist', () => {
    expect(Object.keys(owners).toSorted()).toEqual(Object.keys(TABLE_GRANTS).toSorted());
    const missing = Object.values(owners).filter((owner) => !existsSync(`${SOURCE}${owner}`));
    expect(missing).toEqual([]);
  });

  it.each(SAMPLES)('%j is read as a query of the tables in it', (text, ...expected) => {
    const found = findUses(text).map(({ kind, table }) => `${kind} ${table}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('sees the whole server, and queries that it can read', () => {
    expect(files.length).toBeGreaterThan(500);
    const lower = files.filter(({ text }) => LOWER_CASE_SQL.test(text)).map(({ file }) => file);
    expect(lower, 'Write the words of SQL in capitals, so that this test finds them.').toEqual([]);
    const byValue = files.filter(({ text }) => text.includes('sql.table(')).map(({ file }) => file);
    expect(byValue.toSorted(), 'Name the table in the query.').toEqual(NAMED_BY_VALUE);
  });

  it('nobody else writes them, but for what is listed', () => {
    expect(findTroubles('writes', WRITTEN_BY_OTHERS)).toEqual([]);
  });

  it("nobody else's queries read them, but for what is listed", () => {
    expect(findTroubles('reads', READ_BY_OTHERS)).toEqual([]);
  });
});
