// Every channel, by its pattern. A channel of the own account is `private`.
import { findNearest } from '../../platform/std/nearest.ts';
import type { Refusal } from '../../platform/http/refusal.ts';
import { refuse } from '../http/errors.ts';
import { matchChannel, type Channel } from './channel.ts';
import type { Connection } from './connection.ts';
import { loginRequired } from './login-required.ts';
import { MARKET_CHANNELS } from './market/channels.ts';
import { PRIVATE } from './private/channels.ts';
import type { Streams } from './services.ts';
import type { Topic } from './connection.ts';

export const CHANNELS: readonly Channel[] = [...MARKET_CHANNELS, ...PRIVATE];

/** Finds the topic of a channel's name, or throws a refusal that says what exists. */
export function openTopic(
  streams: Streams,
  name: string,
  connection: Connection,
): Topic | Promise<Topic> {
  for (const channel of CHANNELS) {
    const parts = matchChannel(channel, name);
    if (parts === undefined) continue;
    if (channel.access === 'private' && connection.identity === undefined) {
      throw loginRequired(`The channel '${name}' is about your account.`);
    }
    checkChoices(channel, name, parts);
    return channel.open(streams, foldSymbol(parts), connection);
  }
  throw unknownChannel(name);
}

/** The name as the server says it. */
export function canonicalName(name: string): string {
  for (const { pattern } of CHANNELS) {
    const parts = matchChannel({ pattern }, name);
    if (parts === undefined) continue;
    const folded = foldSymbol(parts);
    return pattern.replaceAll(/\{([a-z]+)\}/g, (_, part: string) => folded[part] ?? '');
  }
  return name;
}

/** Symbols are found however they are typed; the other parts have one spelling (`1m` is not `1M`). */
const foldSymbol = (parts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  parts['symbol'] === undefined ? parts : { ...parts, symbol: parts['symbol'].toLowerCase() };

function checkChoices(
  { choices = {}, pattern }: Channel,
  name: string,
  parts: Readonly<Record<string, string>>,
): void {
  for (const [part, allowed] of Object.entries(choices)) {
    if (allowed.includes(parts[part] ?? '')) continue;
    throw refuse(
      'PARAMETER_INVALID',
      `In '${name}', {${part}} of ${pattern} must be ${allowed.join(', ')}.`,
      { parameter: 'channels', value: name, allowed },
    );
  }
}

function unknownChannel(name: string): Refusal {
  const patterns = CHANNELS.map(({ pattern }) => pattern);
  const [kind = ''] = name.split(':');
  const nearest =
    patterns.find((pattern) => pattern.split(':')[0] === kind) ??
    findNearest(
      kind,
      patterns.map((pattern) => pattern.split(':')[0] ?? ''),
    );
  const said = nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
  return refuse('PARAMETER_INVALID', `There is no channel '${name}'.${said}`, {
    parameter: 'channels',
    value: name,
    allowed: patterns,
    ...(nearest === undefined ? {} : { nearest }),
  });
}
