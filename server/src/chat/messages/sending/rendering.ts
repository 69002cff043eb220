// Renders the text of a message, or of a notice, as HTML.
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import {
  EMPTY_ENV,
  type Mentions,
  type Rendered,
  type RenderEnv,
} from '../../text/markdown/env.ts';
import { renderBounded } from '../../text/markdown/render-pool.ts';
import { readRenderEnv, type Author } from './render-env.ts';

/** Renders a text of `author`, with the names in it looked up. */
export async function renderMessage(
  db: Db,
  ctx: Pick<OriginContext, 'publicUrl' | 'secrets' | 'config'>,
  author: Author,
  organization: Readonly<Record<string, RealmValue>>,
  content: string,
): Promise<Rendered> {
  return renderBounded(content, await readRenderEnv(db, ctx, author, organization, content));
}

/** Renders a system notice: the caller supplies the names, and nobody is mentioned. */
export async function renderNotice(
  content: string,
  named: Pick<RenderEnv, 'users' | 'channels'> & Partial<Pick<RenderEnv, 'groups'>>,
): Promise<Rendered> {
  const rendered = await renderBounded(content, {
    ...EMPTY_ENV,
    ...named,
    hasImagePreviews: false,
    hasLinkPreviews: false,
  });
  return { ...rendered, mentions: NOBODY };
}

/** Renders a notice that quotes people: names are looked up, but nobody is mentioned. */
export async function renderQuietly(...given: Parameters<typeof renderMessage>): Promise<Rendered> {
  return { ...(await renderMessage(...given)), mentions: NOBODY };
}

const NOBODY: Mentions = {
  userIds: [],
  groupIds: [],
  hasChannelWildcard: false,
  hasTopicWildcard: false,
};
