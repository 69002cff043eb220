// Requests that read messages.
import { all, narrowed, term, type Requests } from './request.ts';

export const READING: Requests = {
  // Reading messages.
  'get-messages': [
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      shows: 'word',
      form: ({ messageId }) => ({ message_ids: [messageId] }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      shows: 'word',
      form: ({ messageId }) => narrowed(term('id', messageId)),
    },
    {
      on: 'message',
      needs: 'read the message',
      shows: 'word',
      form: ({ messageId }) => narrowed(term('with', messageId)),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId }) => ({ anchor: messageId, num_before: 0, num_after: 0 }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      isOpenEnded: true,
      form: ({ word }) => narrowed(term('search', word)),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'word',
      showsTo: 'read the message',
      form: ({ channelId }) => narrowed(term('channel', channelId)),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      shows: 'word',
      showsTo: 'read the message',
      form: ({ channelName, topic }) =>
        narrowed(['stream', channelName.toUpperCase()], ['topic', topic]),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      form: ({ channelId }) => ({
        ...narrowed({ ...term('channel', channelId), negated: true }),
        anchor: 'first_unread',
      }),
    },
    {
      on: 'user',
      needs: 'find the person by address',
      form: ({ email }) => narrowed(term('sender', email)),
    },
    {
      on: 'user',
      needs: 'know the person',
      form: ({ userId }) => narrowed(term('dm-including', userId)),
    },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('is', 'mentioned')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('channels', 'public')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('channels', 'archived')) },
    { on: 'nothing', needs: 'just ask', form: () => narrowed(term('has', 'reaction')) },
    { on: 'nothing', needs: 'just ask', form: () => ({ ...all, anchor: 'first_unread' }) },
  ],
  'get-message': [
    { on: 'message', needs: 'read the message', shows: 'word' },
    {
      on: 'message',
      needs: 'read the message',
      shows: 'word',
      form: () => ({ apply_markdown: false }),
    },
  ],
  'get-message-history': [{ on: 'message', needs: 'read the message', shows: 'word' }],
  'get-read-receipts': [{ on: 'message', needs: 'read the message' }],
  'check-messages-match-narrow': [
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      form: ({ messageId, word }) => ({ msg_ids: [messageId], narrow: [term('search', word)] }),
    },
  ],
  'get-stream-topics': [
    { on: 'channel', needs: 'read the channel', shows: 'topic', showsTo: 'read the message' },
  ],
  'render-message': [
    {
      on: 'channel',
      needs: 'know the channel',
      isQuiet: true,
      form: ({ channelName }) => ({ content: `see #**${channelName}** there` }),
    },
    {
      on: 'channel',
      needs: 'know the channel',
      isQuiet: true,
      form: ({ channelName, topic }) => ({ content: `see #**${channelName}>${topic}** there` }),
    },
    {
      on: 'message',
      needs: 'read the message',
      isQuiet: true,
      relations: ['missing', 'shared', 'foreign', 'left'],
      isOpenEnded: true,
      mayTellThatItExists: true,
      form: ({ channelName, topic, messageId }) => ({
        content: `see #**${channelName}>${topic}@${messageId}** there`,
      }),
    },
  ],
};
