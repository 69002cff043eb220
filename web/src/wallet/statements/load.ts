// A statement with the hashes that the server gives, checked here.
import type { Statement } from '@rialto/sdk';
import { tradingThrough } from '../../api/trading.ts';
import type { Month } from '../../i18n/calendar.ts';

export const FORMATS = ['csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export interface FileHash {
  readonly sha256: string;
  /** Whether the bytes that came have it. Undefined where the browser cannot tell. */
  readonly isRight: boolean | undefined;
}

export interface LoadedStatement {
  readonly statement: Statement;
  readonly hashes: Readonly<Record<Format, FileHash>>;
}

const HASH_HEADER = 'X-SVC-CONTENT-SHA256';

export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const paramsOf = ({ fromMs, toMs }: Month) => ({ from: fromMs, to: toMs, timezone: zoneHere() });

/** The address of the file itself, for a link. */
export function fileHref(period: Month, format: Format): string {
  const { from, to, timezone } = paramsOf(period);
  const query = new URLSearchParams({ from: `${from}`, to: `${to}`, format, timezone });
  return `/json/v1/private/account/statement?${query}`;
}

export async function loadStatement(
  url: string,
  period: Month,
  signal: AbortSignal,
): Promise<LoadedStatement> {
  const load = async <F extends Format>(format: F) => {
    let hash: FileHash = { sha256: '', isRight: undefined };
    const trading = tradingThrough(url, async (input, init) => {
      const answer = await fetch(input, init);
      hash = await hashOf(answer.clone());
      return answer;
    });
    const content = await trading.account.statement({ ...paramsOf(period), format }, { signal });
    return { content, hash };
  };
  const [json, csv] = await Promise.all([load('json'), load('csv')]);
  return { statement: json.content, hashes: { json: json.hash, csv: csv.hash } };
}

async function hashOf(answer: Response): Promise<FileHash> {
  const sha256 = answer.headers.get(HASH_HEADER) ?? '';
  // Pages without a secure connection have no cryptography.
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined || sha256 === '') return { sha256, isRight: undefined };
  const bytes = new Uint8Array(await subtle.digest('SHA-256', await answer.arrayBuffer()));
  const own = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { sha256, isRight: own === sha256 };
}
