// Checks the database's encoding and locale. Names, topics and searches are compared with lower().
// With LC_CTYPE=C it knows only English letters, so "É" and "é" are different letters: two channels
// could have one name, and searches would miss words.
import type pg from 'pg';

export interface LocaleProblem {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** What is wrong with the locale of this database; undefined when all is well. */
export async function findLocaleProblem(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<LocaleProblem | undefined> {
  const { rows } = await client.query<{ encoding: string; ctype: string }>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype
       FROM pg_database WHERE datname = current_database()`,
  );
  const { encoding = '', ctype = '' } = rows[0] ?? {};
  const fix =
    'This is chosen when a database is made. Dump this one, make another and restore into it (docs/operating/backups.md): ' +
    "CREATE DATABASE rialto TEMPLATE template0 ENCODING UTF8 LOCALE 'C.UTF-8';";
  if (encoding !== 'UTF8') {
    return {
      what: `The database's encoding is ${encoding}, not UTF8.`,
      why: 'Most letters of the world cannot be stored in it.',
      fix,
    };
  }
  const { rows: lowered } = await client.query<{ knows: boolean }>(
    'SELECT lower($1) = $2 AS knows',
    ['ÉЖ', 'éж'],
  );
  if (lowered[0]?.knows !== false) return undefined;
  return {
    what: `The database's LC_CTYPE is ${ctype}, which knows the letters of English only: lower('É') is 'É'.`,
    why: 'Names that differ in case only are two names, and searches miss words with other letters.',
    fix,
  };
}

/** Only a database that is still empty is refused: one in use keeps serving, and logs a warning. */
export class LocaleError extends Error {
  override name = 'LocaleError';
  constructor({ what, why, fix }: LocaleProblem) {
    super(`${what} ${why} ${fix}`);
  }
}
