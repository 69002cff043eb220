// Settings of bots: their storage, and the programs behind outgoing webhooks.
import { count, flag } from './define.ts';

export const BOT_STORAGE = {
  BOT_STORAGE_MAX: count(
    0,
    100_000_000,
    10_000_000,
    'Characters that one bot may keep by /bot_storage, names included.',
  ),
};

export const BOT_WEBHOOKS = {
  BOT_WEBHOOK_TIMEOUT_MS: count(
    100,
    60_000,
    10_000,
    'How long the program behind an outgoing-webhook bot may take for one answer.',
  ),
  BOT_WEBHOOK_ALLOW_PRIVATE: flag(
    'false',
    'Whether outgoing-webhook bots may be called at addresses without https, with a port, or in private networks. Anybody who may create a bot can then reach what this server can reach.',
  ),
};
