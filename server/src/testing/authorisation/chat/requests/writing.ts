// Requests that send and schedule messages, report typing, and keep drafts.
import { narrowed, term, asked, counted, type Requests } from './request.ts';

/** Unix seconds, in the year 2100. */
const FAR_FUTURE = 4_102_444_800;

export const WRITING: Requests = {
  // Writing messages.
  'send-message': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }, { unique }) => ({
        type: 'channel',
        to: channelId,
        topic: 'news',
        content: `written by ${unique}`,
      }),
    },
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelName }, { unique }) => ({
        type: 'stream',
        to: channelName.toUpperCase(),
        subject: 'older news',
        content: `also written by ${unique}`,
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({ type: 'direct', to: [userId], content: 'just between us' }),
    },
  ],
  'update-message': [
    {
      on: 'message',
      needs: 'change the words',
      message: ({ spareIds }) => spareIds[0] ?? 0,
      form: () => ({ content: 'other words' }),
    },
    {
      on: 'message',
      needs: 'touch the message',
      message: ({ spareIds }) => spareIds[1] ?? 0,
      form: () => ({ topic: 'moved along' }),
    },
    {
      on: 'channel',
      needs: 'move into the channel',
      message: 'own, elsewhere',
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'delete-message': [
    { on: 'message', needs: 'delete the message', message: ({ spareIds }) => spareIds[2] ?? 0 },
  ],
  'delete-topic': [
    {
      on: 'channel',
      needs: 'read the channel',
      isOpenEnded: true,
      isLast: true,
      form: ({ topic }) => ({ topic_name: topic }),
    },
  ],
  'add-reaction': [
    { on: 'message', needs: 'touch the message', form: () => ({ emoji_name: 'heart' }) },
  ],
  'remove-reaction': [
    { on: 'message', needs: 'touch the message', form: () => ({ emoji_name: 'heart' }) },
  ],
  // Reports need a channel that the organization has chosen, so nobody succeeds here.
  'report-message': [
    {
      on: 'message',
      needs: 'read the message',
      isOpenEnded: true,
      form: () => ({ report_type: 'spam' }),
    },
  ],
  // No message has a widget, so nobody succeeds; the refusals are what matters.
  'send-submessage': [
    {
      on: 'message',
      needs: 'touch the message',
      isOpenEnded: true,
      form: ({ messageId }) => ({ message_id: messageId, msg_type: 'widget', content: '{}' }),
    },
  ],
  'update-message-flags': [
    {
      on: 'message',
      needs: 'read the message',
      // Unreadable messages are skipped, like missing ones.
      isQuiet: true,
      form: ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'read' }),
    },
    {
      on: 'message',
      needs: 'read the message',
      form: ({ messageId }) => ({ messages: [messageId], op: 'remove', flag: 'read' }),
    },
    {
      on: 'message',
      needs: 'touch the message',
      form: ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
    },
  ],
  'update-message-flags-for-narrow': [
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId, topic }) => ({
        ...narrowed(term('channel', channelId), term('topic', topic)),
        op: 'add',
        flag: 'read',
      }),
      check: counted,
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId }) => ({
        ...narrowed(term('id', messageId)),
        op: 'remove',
        flag: 'read',
      }),
      check: counted,
    },
  ],
  'mark-all-as-read': asked({}),
  'mark-stream-as-read': [
    {
      on: 'channel',
      needs: 'read the channel',
      form: ({ channelId }) => ({ stream_id: channelId }),
    },
  ],
  'mark-topic-as-read': [
    {
      on: 'channel',
      needs: 'read the message',
      form: ({ channelId, topic }) => ({ stream_id: channelId, topic_name: topic }),
    },
  ],

  // Typing: only people with the right get the event, and the answer reveals nothing about others.
  'set-typing-status': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }) => ({
        op: 'start',
        type: 'channel',
        stream_id: channelId,
        topic: 'news',
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({ op: 'start', to: JSON.stringify([userId]) }),
    },
  ],
  'set-typing-status-for-message-edit': [
    { on: 'message', needs: 'change the words', form: () => ({ op: 'start' }) },
  ],

  // Scheduled messages and reminders.
  'get-scheduled-messages': asked({}),
  'create-scheduled-message': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }) => ({
        type: 'channel',
        to: channelId,
        topic: 'news',
        content: 'for later',
        scheduled_delivery_timestamp: FAR_FUTURE,
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({
        type: 'direct',
        to: JSON.stringify([userId]),
        content: 'for later',
        scheduled_delivery_timestamp: FAR_FUTURE,
      }),
    },
  ],
  'update-scheduled-message': [
    { on: 'scheduled', needs: 'have it', form: () => ({ content: 'otherwise' }) },
  ],
  'delete-scheduled-message': [{ on: 'scheduled', needs: 'have it', isLast: true }],
  'get-reminders': asked({}),
  'create-message-reminder': [
    {
      on: 'message',
      needs: 'read the message',
      form: ({ messageId }) => ({
        message_id: messageId,
        scheduled_delivery_timestamp: FAR_FUTURE,
      }),
    },
  ],
  'delete-reminder': [{ on: 'reminder', needs: 'have it', isLast: true }],

  // Drafts.
  'get-drafts': asked({}),
  'create-drafts': [
    {
      on: 'channel',
      needs: 'write into the channel',
      form: ({ channelId }) => ({
        drafts: [{ type: 'stream', to: [channelId], topic: 'later', content: 'not yet sent' }],
      }),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => ({
        drafts: [{ type: 'private', to: [userId], topic: '', content: 'not yet sent' }],
      }),
    },
  ],
  'edit-draft': [
    {
      on: 'draft',
      needs: 'have it',
      form: () => ({ draft: { type: '', to: [], topic: '', content: 'otherwise' } }),
    },
  ],
  'delete-draft': [{ on: 'draft', needs: 'have it', isLast: true }],
};
