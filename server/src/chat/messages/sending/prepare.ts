// Prepares a message before it is sent, scheduled or shown: reads the sender's rights and renders the text.
import type { User } from '../../../accounts/user.ts';
import type { OriginContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import { readRights } from '../../rights/permissions/access.ts';
import type { Rights } from '../../rights/permissions/rights.ts';
import type { Rendered } from '../../text/markdown/env.ts';
import { renderMessage } from './rendering.ts';

/** A message to be sent: rendered, with the sender's rights. */
export interface OutgoingMessage {
  readonly sender: User;
  readonly rights: Rights;
  readonly organization: Readonly<Record<string, RealmValue>>;
  readonly content: string;
  readonly rendered: Rendered;
}

/** Reads the sender's rights and the organization's settings, and renders `content`, which `normalizeContent` has left. */
export async function prepareMessage(
  db: Db,
  ctx: Pick<OriginContext, 'publicUrl' | 'secrets' | 'config'>,
  sender: User,
  content: string,
): Promise<OutgoingMessage> {
  const rights = await readRights(db, sender);
  const organization = await readOrganizationSettings(db);
  const author = { rights, settings: sender.settings };
  const rendered = await renderMessage(db, ctx, author, organization, content);
  return { sender, rights, organization, content, rendered };
}
