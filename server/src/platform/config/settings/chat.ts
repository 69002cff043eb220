// Settings of the chat API: its limits a minute, a request and a day.
import { Type } from 'typebox';
import { count } from './define.ts';

export const CHAT = {
  CHAT_RATE_LIMIT: count(
    1,
    1_000_000,
    200,
    'Chat requests a minute per user; at most 30 % of them searches, 30 % registrations, 15 % pages of over 1,000 messages.',
  ),
  CHAT_RATE_LIMIT_POLLS: count(
    1,
    10_000_000,
    6000,
    'Polls for events a minute per user, over all their clients; every event that somebody hears of is one.',
  ),
  CHAT_BOTS_LIMIT_FACTOR: count(
    1,
    10_000,
    3,
    'How many times the limits of one user all bots of one owner have together.',
  ),
  CHAT_BOTS_PER_OWNER_MAX: count(1, 1_000_000, 50, 'Active bots that one person may have.'),
  CHAT_RATE_LIMIT_ANONYMOUS: count(
    1,
    1_000_000,
    100,
    'Chat requests a minute per address without credentials.',
  ),
  SEARCH_MS: count(
    100,
    60_000,
    2000,
    'How long one search may take, all of its statements together; then it is cancelled.',
  ),
  SEARCHES_PER_USER_MAX: count(
    1,
    100,
    2,
    'Searches of one person, bots included, that one api process does at the same time.',
  ),
  CHAT_PAGE_BYTES: count(
    65_536,
    67_108_864,
    1_048_576,
    'About how many bytes of messages one answer has; what does not fit comes when the client asks on.',
  ),
  CHAT_ANSWER_BYTES_MAX: count(
    1_048_576,
    268_435_456,
    16_777_216,
    'Largest answer that a chat route gives; what would be larger is refused, and logged as an error.',
  ),
  CHAT_DIRECTORY_BYTES_MAX: count(
    1_048_576,
    268_435_456,
    67_108_864,
    'The same for answers that grow with the organization: its people, channels and groups.',
  ),
  CHAT_CHANNELS_PER_REQUEST_MAX: count(
    1,
    1000,
    100,
    'Channels that one request may subscribe people to or unsubscribe them from.',
  ),
  CHAT_NEW_CHANNELS_PER_REQUEST_MAX: count(1, 1000, 20, 'Channels that one request may make.'),
  CHAT_SUBSCRIPTIONS_PER_REQUEST_MAX: count(
    1,
    1_000_000,
    5000,
    'People times channels of one request that names several channels.',
  ),
  CHAT_CHANNELS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'Channels that one person and their bots may make on a day (UTC); 0: as many as they like.',
  ),
  CHAT_GROUPS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'User groups that one person and their bots may make on a day (UTC); 0: as many as they like.',
  ),
  CHAT_PLACES_DAILY_MAX: count(
    0,
    100_000_000,
    100_000,
    'How often one person and their bots may put others into channels and groups on a day (UTC); 0: as often as they like.',
  ),
  CHAT_TYPING_SUBSCRIBERS_MAX: count(
    0,
    1_000_000,
    0,
    'Largest channel, in subscribers, in which typing is told; 0: every channel.',
  ),
  CHAT_MARK_ALL_BATCH: count(
    1,
    10_000,
    2000,
    'Messages marked as read in one transaction and told in one event, when somebody marks everything.',
  ),
  CHAT_MARK_ALL_MS: count(
    0,
    60_000,
    50_000,
    'How long one such request goes on before it answers that there is more.',
  ),
  CHAT_PRESENCE_PUSH_USERS_MAX: count(
    0,
    100_000,
    100,
    'Most people to whom it is told at once that somebody came online; with more, clients ask.',
  ),
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'false',
    description:
      'Whether those who may not know of everybody see the presence only of people whom they share a channel or a conversation with.',
  }),
};
