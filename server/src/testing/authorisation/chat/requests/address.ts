// Builds the path of a request of the matrix: the path of its route, with the ids of the objects that it is about.
import type { ChatRoute } from '../../../../chat/http/route.ts';
import type { Objects } from '../objects.ts';
import type { Request } from './request.ts';

/** No object has this id. */
const NOBODYS_ID = 900_000_099;

export function addressOf(
  route: ChatRoute,
  { on }: Request,
  objects: Objects,
  { messageId, friendId }: { messageId: number; friendId: number },
): string {
  const ids: Readonly<Record<string, number | string>> = {
    stream_id: objects.channelId,
    message_id: messageId,
    // For a channel, the request asks about the membership of a person who certainly exists.
    user_id: on === 'channel' ? friendId : objects.userId,
    email: objects.email,
    draft_id: objects.draftId,
    saved_snippet_id: objects.snippetId,
    scheduled_message_id: objects.scheduledId,
    reminder_id: objects.reminderId,
    muted_user_id: objects.userId,
    bot_id: objects.botId,
    user_group_id: objects.groupId,
    realm_id_str: 1,
    filename: objects.filePath,
    attachment_id: objects.attachmentId,
    // Invitations by email and reusable links are numbered separately.
    invite_id: route.path.includes('/multiuse/') ? objects.linkId : objects.invitationId,
  };
  return route.path.replaceAll(/\{(\w+)(?::(?:int|path))?\}/g, (_part, name: string) =>
    encodeURIComponent(String(ids[name] ?? NOBODYS_ID)).replaceAll('%2F', '/'),
  );
}
