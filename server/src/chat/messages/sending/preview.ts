// Renders a text for a preview.
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { renderMessage } from './rendering.ts';

/** The HTML of a text that is not sent. Nobody it mentions is notified. */
export async function previewMessage(
  ctx: ApiContext,
  actor: User,
  content: string,
): Promise<string> {
  const rights = await readRights(ctx.db, actor);
  const organization = await readOrganizationSettings(ctx.db);
  const author = { rights, settings: actor.settings };
  const { html } = await renderMessage(ctx.db, ctx, author, organization, content);
  return html;
}
