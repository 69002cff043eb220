// Settings of the trading API (its limits, its volume coin, its origins) and of the public log.
import { Type } from 'typebox';
import { count, flag } from './define.ts';

export const TRADING = {
  TRADING_RATE_LIMIT: count(1, 1_000_000, 10, 'Trading requests admitted per caller and window.'),
  TRADING_RATE_WINDOW_MS: count(10, 600_000, 1000, 'Length of that sliding window.'),
  TRADING_DAILY_ORDERS_MAX: count(
    0,
    100_000_000,
    0,
    'Orders that an account may create on a day (UTC). 0: no limit.',
  ),
  TRADING_SUB_ACCOUNTS_MAX: count(
    0,
    1000,
    20,
    'Open sub-accounts that one person may have; ten times as many with the closed ones.',
  ),
  TRADING_STATEMENT_ENTRIES_MAX: count(
    10,
    40_000,
    20_000,
    'Ledger entries in one account statement; who has more asks for a shorter stretch.',
  ),
  TRADING_VOLUME_COIN: Type.String({
    pattern: '^[a-z0-9]{2,12}$',
    form: 'the symbol of a coin, 2 to 12 lower-case letters and digits',
    example: 'usdt',
    default: 'usdt',
    description: 'Markets quoted in this coin count for the 30-day volume of an account.',
  }),
  TRADING_CORS_ORIGINS: Type.String({
    default: '',
    description: 'Origins that may call private trading endpoints from a browser, comma-separated.',
  }),
  HISTORY_KEEP_DAYS: count(
    0,
    36_500,
    0,
    'Days after which trades, and orders that have ended, leave the tables for compressed files in the file store, where their owners still read them; at least 8. 0 keeps them in the tables for ever.',
  ),
  MARKET_TRADES_MAX: count(
    10,
    100_000,
    5000,
    'Newest trades of each market that an api process keeps in memory, about 250 bytes each; older ones come from the tables.',
  ),
  MARKET_TRADES_HOURS: count(
    1,
    168,
    6,
    'How far back from its newest trade those trades of a market reach.',
  ),
  STREAM_CONNECTIONS_PER_ADDRESS_MAX: count(
    1,
    100_000,
    20,
    'WebSocket connections of the trading API that one address may have at a process.',
  ),
  STREAM_FRAMES_PER_SECOND_MAX: count(
    1,
    1_000_000,
    10,
    'Frames that a client may send in a second on one WebSocket connection; with more it is closed.',
  ),
  STREAM_CHANNELS_MAX: count(1, 10_000, 200, 'Channels of one WebSocket connection.'),
  STREAM_AGE_MAX_MS: count(
    1000,
    7 * 86_400_000,
    86_400_000,
    'How long a WebSocket connection lives; its client is told a minute before.',
  ),
  STREAM_PING_MS: count(100, 600_000, 20_000, 'How often the server pings a WebSocket connection.'),
  STREAM_SILENCE_MS: count(
    200,
    3_600_000,
    60_000,
    'A WebSocket connection without a frame from its client for this long is closed.',
  ),
  PUBLIC_LOG: flag(
    'true',
    'Whether the role worker writes the public log: every change of the books and every trade, without names. A log that is switched on again goes on where it stopped.',
  ),
  PUBLIC_LOG_CHECKPOINT_EVENTS: count(
    100,
    100_000_000,
    100_000,
    'Events of the public log between two checkpoints, from which a stretch of it can be checked; each day has one at least.',
  ),
};
