// The structure of a database: tables, columns, indexes, constraints, functions, triggers and the
// rest, each with its definition. Read from the catalogs, which every role may read, so it does not
// need the owner.
import type pg from 'pg';

/**
 * What every version of PostgreSQL reports alike, and a text that versions may format differently.
 */
export type PieceDefinition = readonly [facts: string, text: string];

export interface SchemaShape {
  /** The major version that wrote the texts. */
  readonly postgres: number;
  /** By kind and name, such as "index public.messages_words". */
  readonly pieces: Readonly<Record<string, PieceDefinition>>;
}

export interface ShapeDifference {
  readonly missing: readonly string[];
  /** Present, but not as the migrations make it. */
  readonly changed: readonly string[];
  /** Triggers, rules and policies that no migration made: they affect what the server writes. */
  readonly added: readonly string[];
}

const SCHEMAS = ['public', 'graphile_worker'];

/**
 * Partitions come and go, and have what their parent has: a parent's index is valid only while each
 * has its part. An index that only a partition has is not compared. Constraints of kind n (NOT NULL) are part of the columns: only the newest versions
 * list them.
 */
const PIECES = `
  WITH relation AS (
    SELECT c.*, n.nspname || '.' || c.relname AS name FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY ($1) AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
                        WHERE i.indexrelid = c.oid AND t.relispartition)),
  plain AS (SELECT * FROM relation WHERE relkind IN ('r', 'p'))
  SELECT 'table ' || name AS piece,
         concat_ws(' ', relkind, relpersistence, CASE WHEN relrowsecurity THEN 'with row security' END) AS facts,
         coalesce(pg_get_partkeydef(oid), '') AS text FROM plain
  UNION ALL
  SELECT CASE relkind WHEN 'S' THEN 'sequence ' ELSE 'view ' END || name, '',
         CASE WHEN relkind = 'S' THEN '' ELSE pg_get_viewdef(oid) END
    FROM relation WHERE relkind IN ('S', 'v', 'm')
  UNION ALL
  SELECT 'column ' || r.name || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
                   CASE WHEN a.attidentity <> '' THEN 'identity ' || a.attidentity::text END,
                   CASE WHEN a.attgenerated <> '' THEN 'generated' END,
                   CASE WHEN d.oid IS NOT NULL AND a.attgenerated = '' THEN 'with a default' END),
         coalesce(pg_get_expr(d.adbin, d.adrelid), '')
    FROM plain r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  UNION ALL
  SELECT 'index ' || r.name,
         concat_ws(' ', CASE WHEN i.indisvalid AND i.indisready THEN 'valid' ELSE 'invalid' END,
                   CASE WHEN i.indisunique THEN 'unique' END),
         replace(pg_get_indexdef(r.oid), ' ON ONLY ', ' ON ')
    FROM relation r JOIN pg_index i ON i.indexrelid = r.oid
  UNION ALL
  SELECT 'constraint ' || k.conname || ' of ' || r.name,
         k.contype::text || CASE WHEN k.convalidated THEN '' ELSE ' not validated' END, pg_get_constraintdef(k.oid)
    FROM plain r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype IN ('c', 'f', 'p', 'u', 'x')
  UNION ALL
  SELECT 'trigger ' || t.tgname || ' of ' || r.name,
         CASE t.tgenabled WHEN 'D' THEN 'disabled' ELSE 'enabled' END, pg_get_triggerdef(t.oid)
    FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
  UNION ALL
  SELECT 'rule ' || w.rulename || ' of ' || r.name, '', pg_get_ruledef(w.oid)
    FROM plain r JOIN pg_rewrite w ON w.ev_class = r.oid
  UNION ALL
  SELECT 'policy ' || p.polname || ' of ' || r.name, p.polcmd::text, ''
    FROM plain r JOIN pg_policy p ON p.polrelid = r.oid
  UNION ALL
  SELECT 'function ' || f.oid::regprocedure::text,
         concat_ws(' ', l.lanname, f.provolatile, f.proparallel, CASE WHEN f.proisstrict THEN 'strict' END,
                   CASE WHEN f.prosecdef THEN 'with the rights of its owner' END,
                   (SELECT string_agg(setting, ' ' ORDER BY setting) FROM unnest(f.proconfig) AS setting),
                   format_type(f.prorettype, NULL), md5(f.prosrc)), ''
    FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace JOIN pg_language l ON l.oid = f.prolang
   WHERE n.nspname = ANY ($1)
  UNION ALL
  SELECT 'type ' || t.oid::regtype::text,
         concat_ws(' ', t.typtype,
                   (SELECT string_agg(e.enumlabel, ' ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)),
         ''
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_class c ON c.oid = t.typrelid
   WHERE n.nspname = ANY ($1) AND (t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c')
  UNION ALL
  SELECT 'text search dictionary ' || n.nspname || '.' || d.dictname, coalesce(d.dictinitoption, ''), ''
    FROM pg_ts_dict d JOIN pg_namespace n ON n.oid = d.dictnamespace WHERE n.nspname = ANY ($1)
  UNION ALL
  SELECT 'text search configuration ' || n.nspname || '.' || g.cfgname,
         coalesce((SELECT string_agg(m.maptokentype || ' ' || m.mapdict::regdictionary::text, ', '
                                     ORDER BY m.maptokentype, m.mapseqno)
                     FROM pg_ts_config_map m WHERE m.mapcfg = g.oid), ''), ''
    FROM pg_ts_config g JOIN pg_namespace n ON n.oid = g.cfgnamespace WHERE n.nspname = ANY ($1)`;

interface PieceRow {
  piece: string;
  facts: string;
  text: string;
}

/** The connection must have no transaction open. */
export async function readShape(client: Pick<pg.ClientBase, 'query'>): Promise<SchemaShape> {
  await client.query('BEGIN READ ONLY');
  try {
    // With an empty search path every name comes with its schema.
    await client.query("SET LOCAL search_path = ''");
    const { rows: versions } = await client.query<{ major: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS major",
    );
    const { rows } = await client.query<PieceRow>(PIECES, [SCHEMAS]);
    const pieces = rows
      .map(({ piece, facts, text }) => [piece, [facts, text]] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    return { postgres: versions[0]?.major ?? 0, pieces: Object.fromEntries(pieces) };
  } finally {
    await client.query('ROLLBACK');
  }
}

const ACTS_BY_ITSELF = /^(trigger|rule|policy) /;

/** Texts are compared only if the same version wrote both. */
export function compareShapes(expected: SchemaShape, found: SchemaShape): ShapeDifference {
  const isSameVersion = expected.postgres === found.postgres;
  const isChanged = ([piece, [facts, text]]: readonly [string, PieceDefinition]) => {
    const other = found.pieces[piece];
    return other !== undefined && (other[0] !== facts || (isSameVersion && other[1] !== text));
  };
  return {
    missing: Object.keys(expected.pieces).filter((piece) => !(piece in found.pieces)),
    changed: Object.entries(expected.pieces)
      .filter(isChanged)
      .map(([piece]) => piece),
    added: Object.keys(found.pieces).filter(
      (piece) => ACTS_BY_ITSELF.test(piece) && !(piece in expected.pieces),
    ),
  };
}
