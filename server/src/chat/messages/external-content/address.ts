// Our addresses for pictures and videos that lie on other servers: made when a message is rendered, parsed here.
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { EnvExternal } from '../../text/markdown/env.ts';
import { EXTERNAL_CONTENT_PATH, externalDigest } from '../../text/markdown/external.ts';
import { MAX_URL } from '../../text/markdown/limits.ts';

/** Derived so that it survives a change of the master key: the address stays in messages for ever. */
const keyOf = ({ secrets }: Pick<Context, 'secrets'>): string =>
  secrets.lookup('external content', 'key').toString('hex');

/** What the renderer needs to make such addresses. */
export function externalEnv(ctx: Pick<Context, 'secrets' | 'config'>): EnvExternal {
  const { EXTERNAL_CONTENT } = ctx.config;
  return EXTERNAL_CONTENT === 'proxied' ? { key: keyOf(ctx) } : EXTERNAL_CONTENT;
}

const ADDRESS = /^([0-9a-f]{64})\/((?:[0-9a-f]{2})+)$/;
/** A character has at most four bytes, each written as two hex digits. */
const HEX_MAX = 2 * 4 * MAX_URL;

/** The original address behind a path; undefined if we did not make the path. */
export function parseExternalPath(path: string, ctx: Pick<Context, 'secrets'>): string | undefined {
  const rest = path.slice(EXTERNAL_CONTENT_PATH.length + 1);
  const [, digest = '', hex = ''] = rest.length > HEX_MAX ? [] : (ADDRESS.exec(rest) ?? []);
  if (hex === '') return undefined;
  const url = Buffer.from(hex, 'hex').toString();
  const expected = externalDigest(keyOf(ctx), url);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(digest)) ? url : undefined;
}
