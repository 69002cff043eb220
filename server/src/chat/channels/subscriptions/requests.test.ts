import { describe, expect, it } from 'vitest';
import type { Config } from '../../../platform/config/schema.ts';
import { checkNewChannels, checkRequest, splitIntoParts } from './requests.ts';

const config = {
  CHAT_CHANNELS_PER_REQUEST_MAX: 100,
  CHAT_NEW_CHANNELS_PER_REQUEST_MAX: 20,
  CHAT_SUBSCRIPTIONS_PER_REQUEST_MAX: 5000,
} as Config;

describe('one request may change', () => {
  it('a limited number of channels, and of people in them', () => {
    expect(() => checkRequest(config, 100, 50)).not.toThrow();
    expect(() => checkRequest(config, 101, 1)).toThrow('at most 100 channels, not 101');
    expect(() => checkRequest(config, 100, 51)).toThrow(
      '100 channels times 51 people are more than the 5000 subscriptions that one request can change. Name fewer channels or fewer people.',
    );
  });

  it('everybody, in one channel', () => {
    expect(() => checkRequest(config, 1, 100_000)).not.toThrow();
    expect(() => checkRequest(config, 2, 2501)).toThrow('more than the 5000');
  });

  it('a limited number of new channels', () => {
    expect(() => checkNewChannels(config, 20)).not.toThrow();
    expect(() => checkNewChannels(config, 21)).toThrow('at most 20 channels, not 21');
  });

  it('its channels in parts, of which there is at least one', () => {
    const all = Array.from({ length: 25 }, (_none, n) => n);
    expect(splitIntoParts(all).map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(splitIntoParts(all).flat()).toEqual(all);
    expect(splitIntoParts([])).toEqual([[]]);
  });
});
