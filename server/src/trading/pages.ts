// Growing lists are read page by page. A cursor says where the next page begins; it is opaque and
// authenticated for this account, this list and these filters, so that a foreign or changed one is
// refused instead of silently giving other rows.
import { timingSafeEqual } from 'node:crypto';
import { Type, type TSchema } from 'typebox';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { refuse } from './http/errors.ts';
import { Choice } from './values.ts';

export type Sort = 'asc' | 'desc';

/** The position of one row: lists are ordered by time, and by id within one millisecond. */
export interface RowPosition {
  readonly ms: bigint;
  readonly id: bigint;
}

/**
 * What a cursor belongs to. Filters are the parameters that choose rows, as the caller sent them.
 */
export interface ListName {
  readonly list: string;
  readonly accountId: bigint;
  readonly filters: Readonly<Record<string, string | number | boolean | undefined>>;
}

export interface PageParams {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly sort?: Sort | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Which rows a store must read. It reads one more than `limit`, which shows whether more follow.
 */
export interface PageQuery {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly after: RowPosition | undefined;
}

/** The first page without a filter, the newest row first. */
export const newestPage = (limit: number): PageQuery => ({
  from: undefined,
  to: undefined,
  sort: 'desc',
  limit,
  after: undefined,
});

const LIMIT_MAX = 500;
const LIMIT_DEFAULT = 100;
const MS_MAX = 9_999_999_999_999;

export const PAGE_PARAMS = {
  from: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MS_MAX,
      description: 'From this time on, inclusive.',
      examples: ['1760000000000'],
    }),
  ),
  to: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MS_MAX,
      description: 'Until before this time.',
      examples: ['1760086400000'],
    }),
  ),
  sort: Type.Optional(
    Choice(
      ['asc', 'desc'],
      'Oldest or newest first; newest when absent, oldest when `from` is given.',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      description: `Most items of one page; ${LIMIT_DEFAULT} when absent.`,
      examples: ['100'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The `nextCursor` of the page before, with the same other parameters.',
    }),
  ),
};

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item),
    nextCursor: Type.String({ description: 'Where the next page begins; empty at the end.' }),
  });

export interface PageOf<T> {
  items: T[];
  nextCursor: string;
}

/**
 * Parses a page's parameters. `isForward` says that something besides `from` asks for oldest first.
 */
export function parsePage(
  secrets: Secrets,
  name: ListName,
  params: PageParams,
  isForward = false,
): PageQuery {
  const cursor = params.cursor === undefined ? undefined : openCursor(secrets, name, params);
  const forward = isForward || params.from !== undefined;
  return {
    from: params.from === undefined ? undefined : BigInt(params.from),
    to: params.to === undefined ? undefined : BigInt(params.to),
    sort: cursor?.sort ?? params.sort ?? (forward ? 'asc' : 'desc'),
    limit: params.limit ?? LIMIT_DEFAULT,
    after: cursor?.position,
  };
}

/** Makes a page from the rows that a store read for `query`. */
export function toPage<R, T>(
  secrets: Secrets,
  name: ListName,
  query: PageQuery,
  rows: readonly R[],
  { positionOf, print }: { positionOf(row: R): RowPosition; print(row: R): T },
): PageOf<T> {
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    items: shown.map(print),
    nextCursor: hasMore
      ? sealCursor(secrets, withRange(name, query), {
          sort: query.sort,
          position: positionOf(last),
        })
      : '',
  };
}

interface Cursor {
  readonly sort: Sort;
  readonly position: RowPosition;
}

const PROOF_BYTES = 16;

function sealCursor(secrets: Secrets, name: ListName, { sort, position }: Cursor): string {
  const text = `${sort === 'asc' ? 'a' : 'd'}${position.ms}.${position.id}`;
  return Buffer.concat([prove(secrets, name, text), Buffer.from(text)]).toString('base64url');
}

function openCursor(secrets: Secrets, name: ListName, params: PageParams): Cursor {
  const bytes = Buffer.from(params.cursor ?? '', 'base64url');
  const text = bytes.subarray(PROOF_BYTES).toString('latin1');
  const match = /^([ad])([0-9]{1,19})\.([0-9]{1,19})$/.exec(text);
  const proof = bytes.subarray(0, PROOF_BYTES);
  const expected = prove(secrets, withRange(name, params), text);
  if (match === null || !timingSafeEqual(proof, expected)) throw foreignCursor();
  const sort = match[1] === 'a' ? 'asc' : 'desc';
  if (params.sort !== undefined && params.sort !== sort) throw foreignCursor();
  return { sort, position: { ms: BigInt(match[2] ?? ''), id: BigInt(match[3] ?? '') } };
}

const foreignCursor = () =>
  refuse(
    'CURSOR_INVALID',
    'The cursor is not one that we gave for these parameters. Send nextCursor as it came, with the parameters of the page before.',
    { parameter: 'cursor' },
  );

const withRange = (
  name: ListName,
  {
    from,
    to,
  }: { readonly from?: number | bigint | undefined; readonly to?: number | bigint | undefined },
): ListName => ({
  ...name,
  filters: { ...name.filters, from: from?.toString(), to: to?.toString() },
});

function prove(secrets: Secrets, { list, accountId, filters }: ListName, text: string): Buffer {
  const chosen = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, String(value)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const claim = JSON.stringify([list, String(accountId), chosen, text]);
  return secrets.lookup('trading cursor', claim).subarray(0, PROOF_BYTES);
}
