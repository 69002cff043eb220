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
    'Polls for events a minute per user, over all their clients; each delivered event usually takes one poll.',
  ),
  CHAT_BOTS_LIMIT_FACTOR: count(
    1,
    10_000,
    3,
    'All bots of one owner together may use this many times the limits of one user.',
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
    'Searches of one person, bots included, that one api process runs at the same time.',
  ),
  CHAT_PAGE_BYTES: count(
    65_536,
    67_108_864,
    1_048_576,
    'About how many bytes of messages one answer holds; the client asks again for the rest.',
  ),
  CHAT_ANSWER_BYTES_MAX: count(
    1_048_576,
    268_435_456,
    16_777_216,
    'Largest answer of a chat route; a larger one is refused, and logged as an error.',
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
  CHAT_NEW_CHANNELS_PER_REQUEST_MAX: count(1, 1000, 20, 'Channels that one request may create.'),
  CHAT_SUBSCRIPTIONS_PER_REQUEST_MAX: count(
    1,
    1_000_000,
    5000,
    'People times channels, for a request that names several channels.',
  ),
  CHAT_CHANNELS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'Channels that one person and their bots may create on a day (UTC). 0: no limit.',
  ),
  CHAT_GROUPS_DAILY_MAX: count(
    0,
    1_000_000,
    200,
    'User groups that one person and their bots may create on a day (UTC). 0: no limit.',
  ),
  CHAT_PLACES_DAILY_MAX: count(
    0,
    100_000_000,
    100_000,
    'How often one person and their bots may put others into channels and groups on a day (UTC). 0: no limit.',
  ),
  CHAT_TYPING_SUBSCRIBERS_MAX: count(
    0,
    1_000_000,
    100,
    'Typing is shown only in channels with at most this many subscribers. 0: in every channel.',
  ),
  CHAT_MARK_ALL_BATCH: count(
    1,
    10_000,
    2000,
    'Messages that are marked as read in one transaction and one event, when somebody marks everything as read.',
  ),
  CHAT_MARK_ALL_MS: count(
    0,
    60_000,
    50_000,
    'How long such a request works before it answers that more is left to do.',
  ),
  CHAT_PRESENCE_PUSH_USERS_MAX: count(
    0,
    100_000,
    100,
    'With more people than this, clients are not notified at once when somebody comes online; they ask.',
  ),
  CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: Type.String({
    pattern: '^(true|false)$',
    form: 'true or false',
    default: 'false',
    description:
      'Whether people who may not see all users get the presence only of people with whom they share a channel or a conversation.',
  }),
};
