// Calls about messages, what was read of them, drafts, later messages, files and the event queue.
import type { WorldUsers } from '../../demo/world.ts';
import type { Director } from '../director.ts';
import { note } from '../picture.ts';

/** Unix seconds, in the year 2100. */
const FAR_FUTURE = 4_102_444_800;

export async function playMessages(director: Director, users: WorldUsers): Promise<void> {
  const { call } = director;
  const queue = await call('register-queue', 'member', {
    event_types: ['message', 'reaction'],
    fetch_event_types: ['message'],
  });
  const queueId = queue.text('queue_id');
  const general = (await call('get-channel-id', 'member', { stream: 'general' })).number(
    'stream_id',
  );
  const sent = await call('send-message', 'member', {
    type: 'channel',
    to: 'general',
    topic: 'lunch',
    content: 'Who comes along at **twelve**?',
  });
  const id = sent.number('id');
  await call('get-message', 'member', { message_id: id });
  await call('get-messages', 'member', {
    anchor: 'newest',
    num_before: 2,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
  });
  await call('render-message', 'member', { content: 'Prices in #**btcusdt** moved *a lot*.' });
  await call('check-messages-match-narrow', 'member', {
    msg_ids: [id],
    narrow: [{ operator: 'search', operand: 'twelve' }],
  });
  await call('update-message', 'member', {
    message_id: id,
    content: 'Who comes along at **half past twelve**?',
  });
  await call('get-message-history', 'member', { message_id: id });
  await call('add-reaction', 'moderator', { message_id: id, emoji_name: 'tada' });
  await call('remove-reaction', 'moderator', { message_id: id, emoji_name: 'tada' });
  await call('get-read-receipts', 'member', { message_id: id });
  await call('set-typing-status', 'moderator', {
    op: 'start',
    type: 'channel',
    stream_id: general,
    topic: 'lunch',
  });
  await call('set-typing-status-for-message-edit', 'member', { message_id: id, op: 'start' });
  await call('update-message-flags', 'moderator', {
    messages: [id],
    op: 'add',
    flag: 'starred',
  });
  await call('update-message-flags-for-narrow', 'moderator', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [['channel', 'general']],
    op: 'add',
    flag: 'read',
  });
  await call('mark-all-as-read', 'moderator');
  const poll = await call('send-message', 'member', {
    type: 'channel',
    to: 'general',
    topic: 'lunch',
    content: '/poll Where?\nNoodles\nFalafel',
  });
  await call('send-submessage', 'moderator', {
    message_id: poll.number('id'),
    msg_type: 'widget',
    content: '{"type":"vote","key":"canned,0","vote":1}',
  });
  await call('get-events', 'member', { queue_id: queueId, last_event_id: -1, dont_block: true });
  await call('delete-queue', 'member', { queue_id: queueId });
  await playLater(director, users, id, general);
  await playFiles(director);
  await call('delete-message', 'owner', { message_id: id });
}

async function playLater(
  { call }: Director,
  users: WorldUsers,
  messageId: number,
  channelId: number,
): Promise<void> {
  const draft = {
    type: 'stream',
    to: [channelId],
    topic: 'lunch',
    content: 'Or rather at one',
  };
  const drafts = await call('create-drafts', 'member', { drafts: [draft] });
  const draftId = drafts.number('ids.0');
  await call('get-drafts', 'member');
  await call('edit-draft', 'member', {
    draft_id: draftId,
    draft: { ...draft, content: 'Or rather at one?' },
  });
  await call('delete-draft', 'member', { draft_id: draftId });
  const later = await call('create-scheduled-message', 'member', {
    type: 'direct',
    to: [users.owner.user_id],
    content: 'The week in figures',
    scheduled_delivery_timestamp: FAR_FUTURE,
  });
  const laterId = later.number('scheduled_message_id');
  await call('get-scheduled-messages', 'member');
  await call('update-scheduled-message', 'member', {
    scheduled_message_id: laterId,
    content: 'The week in figures, and what they mean',
  });
  await call('delete-scheduled-message', 'member', { scheduled_message_id: laterId });
  const reminder = await call('create-message-reminder', 'member', {
    message_id: messageId,
    scheduled_delivery_timestamp: FAR_FUTURE,
    note: 'book a table',
  });
  await call('get-reminders', 'member');
  await call('delete-reminder', 'member', { reminder_id: reminder.number('reminder_id') });
  const snippet = await call('create-saved-snippet', 'member', {
    title: 'greeting',
    content: 'Welcome to the desk!',
  });
  const snippetId = snippet.number('saved_snippet_id');
  await call('get-saved-snippets', 'member');
  await call('edit-saved-snippet', 'member', {
    saved_snippet_id: snippetId,
    content: 'Welcome to the desk! Read #**general** first.',
  });
  await call('delete-saved-snippet', 'member', { saved_snippet_id: snippetId });
}

async function playFiles({ call }: Director): Promise<void> {
  const stored = await call('upload-file', 'member', {}, note('figures.txt'));
  const [, realm = '', filename = ''] =
    /\/user_uploads\/([^/]+)\/(.+)$/.exec(stored.text('url')) ?? [];
  await call('get-file-temporary-url', 'member', { realm_id_str: realm, filename });
  const files = await call('get-attachments', 'member');
  await call('remove-attachment', 'member', { attachment_id: files.number('attachments.0.id') });
}
