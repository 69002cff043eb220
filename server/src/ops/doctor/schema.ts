// Whether the database has everything that the migrations make, as they make it. A restore that continued after an
// error, or a manual change, leaves a database that claims to be up to date and is not.
import type pg from 'pg';
import { compareShapes, readShape, type SchemaShape } from '../../platform/db/shape.ts';
import expected from '../../platform/db/shape.generated.json' with { type: 'json' };
import { broken, ok, warning, type Finding } from './finding.ts';

/** How many are named; the rest of a long list adds nothing. */
const NAMED_MAX = 10;
/** Statements that are shown; if there are more, the database should be restored again. */
const STATEMENTS_MAX = 3;
const POLICY = /^policy /;

const EXPECTED = expected as unknown as SchemaShape;

/** A migration leaves these out of large parts of their tables. The parts of the log go in time. */
const PHRASES = 'index public.messages_seams';
const BUILT_LATER = [PHRASES, 'index public.event_log_concerns'];

export async function checkSchema(client: pg.Client): Promise<Finding[]> {
  const shape = await readShape(client);
  const { missing: allMissing, changed: allChanged, added } = compareShapes(EXPECTED, shape);
  const unfinished = allChanged.filter(
    (piece) => BUILT_LATER.includes(piece) && shape.pieces[piece]?.[0] === 'invalid',
  );
  const changed = allChanged.filter((piece) => !unfinished.includes(piece));
  // Without a separate role the server owns the tables, so there is no role to make a policy for.
  const isOwner = await ownsTables(client);
  const missing = withoutParts(allMissing).filter((piece) => !isOwner || !POLICY.test(piece));
  const findings: Finding[] = [];
  if (missing.length > 0) {
    findings.push(
      broken('schema', {
        what: `The database lacks ${list(missing)}.`,
        why: 'It says that it has had every migration, but a restore or a hand has left these out: searches, rules or whole requests fail.',
        fix: `As the owner, ${remedyFor(missing)} If much is missing, restore the backup again into an empty database with --exit-on-error (docs/operating/backups.md).`,
      }),
    );
  }
  if (changed.length > 0) {
    findings.push(
      broken('schema', {
        what: `Not as the migrations make ${changed.length === 1 ? 'it' : 'them'}: ${list(changed)}.`,
        why: 'The server relies on these rules; one that is switched off or changed no longer protects the data.',
        fix: `As the owner, put back what the migrations say (server/migrations). ${definitionsOf(changed)}`.trim(),
      }),
    );
  }
  if (added.length > 0) {
    findings.push(
      warning('schema', {
        what: `No migration made ${list(added)}.`,
        why: 'It acts on what the server writes, and the server knows nothing of it.',
        fix: 'Drop it, unless you know who made it and why.',
      }),
    );
  }
  if (unfinished.includes(PHRASES)) {
    findings.push(
      warning('schema', {
        what: 'A part of the table messages has no index of phrases.',
        why: 'There a search for a phrase compares each text that has its words, and may end at its time limit.',
        fix: 'Build it when the upgrade is done (docs/operating/upgrades.md, "The index of phrases").',
      }),
    );
  }
  if (findings.length > 0) return findings;
  const count = Object.keys(EXPECTED.pieces).length;
  return [
    ok('schema', `All ${count} tables, columns, indexes, functions and rules are there, as made.`),
  ];
}

/** A missing table stands for everything that belongs to it. */
function withoutParts(missing: readonly string[]): string[] {
  const tables = missing
    .filter((piece) => piece.startsWith('table '))
    .map((piece) => piece.slice('table '.length));
  const isPart = (piece: string) =>
    tables.some(
      (table) =>
        piece.startsWith(`column ${table}.`) ||
        piece.endsWith(` of ${table}`) ||
        (piece.startsWith('index ') && EXPECTED.pieces[piece]?.[1].includes(` ON ${table} `)),
    );
  return missing.filter((piece) => !isPart(piece));
}

async function ownsTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS mine FROM pg_class WHERE oid = 'public.migrations'::regclass`,
  );
  return rows[0]?.mine === true;
}

function list(pieces: readonly string[]): string {
  const rest = pieces.length - NAMED_MAX;
  return pieces.slice(0, NAMED_MAX).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

/** A definition that is a whole statement can repair what is missing. */
const STATEMENT = /^CREATE /;

function remedyFor(missing: readonly string[]): string {
  if (missing.every((piece) => POLICY.test(piece))) return 'run `rialto migrate`.';
  const statements = missing
    .map((piece) => EXPECTED.pieces[piece]?.[1] ?? '')
    .filter((text) => STATEMENT.test(text));
  if (statements.length === 0) return 'make them as server/migrations has them.';
  const rest = missing.length > Math.min(statements.length, STATEMENTS_MAX);
  return `run: ${statements.slice(0, STATEMENTS_MAX).join('; ')};${rest ? ' The others are in server/migrations.' : ''}`;
}

function definitionsOf(changed: readonly string[]): string {
  const told = changed.slice(0, STATEMENTS_MAX).map((piece) => {
    const [facts = '', text = ''] = EXPECTED.pieces[piece] ?? [];
    return `${piece}: ${[facts, text].filter((part) => part !== '').join(', ')}`;
  });
  return `Expected: ${told.join('; ')}.`;
}
