// Renders a text for a preview.
import type { User } from '../../../accounts/user.ts';
import type { ApiContext } from '../../../platform/context.ts';
import { prepareMessage } from './prepare.ts';

/** The HTML of a text that is not sent. Nobody it mentions is notified. */
export async function previewMessage(
  ctx: ApiContext,
  actor: User,
  content: string,
): Promise<string> {
  const { rendered } = await prepareMessage(ctx.db, ctx, actor, content);
  return rendered.html;
}
