// Checks the demo's conversations: their participants have access, and they are long and varied
// enough for a visitor.
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../server/src/platform/std/time.ts';
import { CHANNELS, DRAFTS, FOLDERS, GROUPS, MUTED, PINNED } from '../data/channels.ts';
import { PEOPLE, type PersonKey } from '../data/people.ts';
import { THREADS } from '../data/talk/all.ts';
import type { Line, Thread } from '../data/talk/thread.ts';
import { speak } from './timeline.ts';

const LINES = THREADS.flatMap(({ lines }) => lines);

function presentIn({ to }: Thread): (who: PersonKey) => boolean {
  if ('people' in to) return (who) => to.people.includes(who);
  const channel = CHANNELS.find(({ name }) => name === to.channel);
  expect(channel, to.channel).toBeDefined();
  const { kind = 'public', members = [] } = channel ?? {};
  return (who) => {
    const isGuest = PEOPLE[who].role === 'guest';
    if (members === 'everyone') return !isGuest;
    return members.includes(who) || (!isGuest && (kind === 'public' || kind === 'web-public'));
  };
}

const everybodyIn = ([who, , , more = {}]: Line): PersonKey[] => [
  who,
  ...Object.values(more.react ?? {}).flat(),
  ...Object.values(more.votes ?? {}).flat(),
  ...(more.starredBy ?? []),
];

describe('conversations', () => {
  it('are held by people who have access', () => {
    for (const thread of THREADS) {
      const isPresent = presentIn(thread);
      for (const line of thread.lines) {
        for (const who of everybodyIn(line)) {
          expect(isPresent(who), `${who} in ${JSON.stringify(thread.to)}: ${line[2]}`).toBe(true);
        }
      }
    }
  });

  it('lie in the last two weeks, in order, whatever the time of day at which the demo starts', () => {
    for (const hour of [0, 0.01, 6, 13.5, 23.99]) {
      const endMs = Date.UTC(2026, 9, 4) + hour * 3_600_000;
      for (const thread of THREADS) {
        const { lines, resolvedMs } = speak(thread, endMs);
        const times = lines.map(({ atMs }) => atMs);
        expect(Math.min(...times)).toBeGreaterThan(endMs - 15 * DAY_MS);
        expect(Math.max(...times, thread.resolved === undefined ? 0 : resolvedMs)).toBeLessThan(
          endMs,
        );
        expect(times).toEqual([...times].sort((a, b) => a - b));
        if (thread.resolved !== undefined) expect(resolvedMs).toBeGreaterThan(Math.max(...times));
      }
    }
  });

  it('are a few hundred lines with every kind of message content, in both languages', () => {
    expect(LINES.length).toBeGreaterThanOrEqual(250);
    const texts = LINES.map(([, , text]) => text);
    const have = (form: RegExp) => texts.filter((text) => form.test(text)).length;
    expect(have(/^[^`]*[\u0600-\u06FF]/)).toBeGreaterThanOrEqual(40);
    for (const form of [/```\w+\n/, /\n\| --- /, /@\*\*/, /@\*[a-z]/, /^\/poll /, /^\/todo /]) {
      expect(have(form), String(form)).toBeGreaterThan(0);
    }
    for (const form of [/\{\{quote /, /```spoiler /, /\$\$/, /#\*\*/, /https:\/\//]) {
      expect(have(form), String(form)).toBeGreaterThan(0);
    }
    expect(THREADS.filter(({ resolved }) => resolved !== undefined).length).toBeGreaterThan(8);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('quote only earlier lines, by unique names', () => {
    const keys = LINES.flatMap(([, , , more]) => (more?.key === undefined ? [] : [more.key]));
    expect(new Set(keys).size).toBe(keys.length);
    for (const { lines } of THREADS) {
      for (const [index, [, , text]] of lines.entries()) {
        const key = /\{\{quote (\w+)\}\}/.exec(text)?.[1];
        if (key === undefined) continue;
        expect(
          lines.slice(0, index).some(([, , , more]) => more?.key === key),
          key,
        ).toBe(true);
      }
    }
  });
});

it('channels stand in folders, are created by one of their members, and cover every kind', () => {
  const folders = FOLDERS.map(({ name }) => name);
  for (const channel of CHANNELS) {
    expect(folders).toContain(channel.folder);
    if (channel.members !== 'everyone') expect(channel.members).toContain(channel.creator);
  }
  const kinds = new Set(CHANNELS.map(({ kind = 'public' }) => kind));
  expect(kinds).toEqual(new Set(['public', 'shared', 'protected', 'web-public']));
  const names = CHANNELS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { channel } of [...MUTED, ...PINNED]) expect(names).toContain(channel);
  for (const { to } of DRAFTS) if ('channel' in to) expect(names).toContain(to.channel);
  for (const { members } of GROUPS) expect(members.length).toBeGreaterThan(1);
});
