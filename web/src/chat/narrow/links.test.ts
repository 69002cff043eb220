import { describe, expect, it } from 'vitest';
import { parseLink, parseNarrow } from './parse.ts';
import type { Asked, Term } from './terms.ts';

const yes = (...list: Asked[]): Term[] => list.map((one) => ({ ...one, negated: false }));
const channel = (operand: number | string): Asked => ({ operator: 'channel', operand });
const topic = (operand: string): Asked => ({ operator: 'topic', operand });
const dm = (operand: number[] | string): Asked => ({ operator: 'dm', operand });

describe('links that others wrote', () => {
  it.each<[string, Term[], number?]>([
    // Zulip's web client.
    ['#narrow/channel/9-general', yes(channel(9))],
    ['#narrow/channel/9-general/', yes(channel(9))],
    ['#narrow/channel/9', yes(channel(9))],
    [
      '#narrow/channel/9-general/topic/Lunch/with/214',
      [...yes(channel(9), topic('Lunch'), { operator: 'with', operand: 214 })],
    ],
    ['#narrow/channel/9-general/topic/Lunch/near/214', yes(channel(9), topic('Lunch')), 214],
    [
      '#narrow/channel/9-general/topic//with/215',
      yes(channel(9), topic(''), { operator: 'with', operand: 215 }),
    ],
    ['#narrow/channel/9-general/topic/', yes(channel(9), topic(''))],
    [
      '#narrow/channel/10-R.26D-.28labs.29-100.25/topic/a.2Eb.2Fc',
      yes(channel(10), topic('a.b/c')),
    ],
    [
      '#narrow/channel/11-.D8.AF.D8.A7.D9.86.D8.B4/topic/.D8.B9.D9.84.D9.85',
      yes(channel(11), topic('علم')),
    ],
    ['#narrow/dm/12-Sara-Karimi', yes(dm([12]))],
    ['#narrow/dm/12,7-group/near/3', yes(dm([7, 12])), 3],
    ['#narrow/is/starred', yes({ operator: 'is', operand: 'starred' })],
    ['#narrow/is/mentioned', yes({ operator: 'is', operand: 'mentioned' })],
    ['#narrow/sender/12-Sara-Karimi', yes({ operator: 'sender', operand: 12 })],
    ['#narrow/search/two.20words', yes({ operator: 'search', operand: 'two words' })],
    [
      '#narrow/channels/public/search/btc',
      yes({ operator: 'channels', operand: 'public' }, { operator: 'search', operand: 'btc' }),
    ],
    [
      '#narrow/has/image/-is/resolved',
      [
        ...yes({ operator: 'has', operand: 'image' }),
        { operator: 'is', operand: 'resolved', negated: true },
      ],
    ],
    ['#feed', yes({ operator: 'in', operand: 'home' })],
    ['#all_messages', yes({ operator: 'in', operand: 'home' })],
    ['#narrow', []],
    // The mobile apps, and the servers' mails.
    [
      '#narrow/stream/48-mobile/topic/streams/near/515835',
      yes(channel(48), topic('streams')),
      515835,
    ],
    ['#narrow/pm-with/1,2-group/near/1', yes(dm([1, 2])), 1],
    [
      '#narrow/stream/243-mobile-team/subject/notifications',
      yes(channel(243), topic('notifications')),
    ],
    ['#narrow/topic/.C2.AF.5C_(.E3.83.84)_.2F.C2.AF', yes(topic('¯\\_(ツ)_/¯'))],
    ['#narrow/dm/17327-Chris-Bobbe-(Test-Account)', yes(dm([17327]))],
    // Bots, people, and links of years ago.
    ['#narrow/stream/check', yes(channel('check'))],
    ['#narrow/stream/bot.20testing/topic/hi', yes(channel('bot testing'), topic('hi'))],
    ['#narrow/stream/-general', yes(channel('-general'))],
    ['#narrow/stream/1nonsense-general', yes(channel('1nonsense-general'))],
    ['#narrow/channel/9/topic/v1.x%20plan', yes(channel(9), topic('v1.x plan'))],
    ['#narrow/channel/9/topic/%D8%B9%D9%84%D9%85', yes(channel(9), topic('علم'))],
    ['#narrow/channel/9/topic/100% sure', yes(channel(9), topic('100% sure'))],
    ['#narrow/pm-with/a.40b.2Ecom', yes(dm('a@b.com'))],
    ['#narrow/pm-with/7.2C12-dm', yes(dm([7, 12]))],
    ['#narrow/from/sara.40example.2Ecom', yes({ operator: 'sender', operand: 'sara@example.com' })],
    ['#narrow/is/private', yes({ operator: 'is', operand: 'dm' })],
    ['#narrow/has/images', yes({ operator: 'has', operand: 'image' })],
    ['#narrow/streams/web-public', yes({ operator: 'channels', operand: 'web-public' })],
    ['#narrow/group-pm-with/5-x', yes({ operator: 'group-pm-with', operand: 5 })],
    ['#narrow/id/17', yes({ operator: 'id', operand: 17 })],
  ])('%s opens its place', (hash, terms, near?) => {
    expect(parseNarrow(hash)).toEqual(near === undefined ? { terms } : { terms, near });
  });

  it.each([
    '',
    '#',
    '#narrowly/stream/check',
    '#settings/profile',
    'narrow/is/starred',
    '#narrow/channel',
    '#narrow/channel/9/topic',
    '#narrow/channel//topic/x',
    '#narrow/unknown/operand',
    '#narrow/constructor/x',
    '#narrow/is/nice',
    '#narrow/has/time',
    '#narrow/near/soon',
    '#narrow/-near/5',
    '#narrow/id/x',
    '#narrow/with/1234567890123456',
    '#narrow/topic/.88.99.AA.BB',
    `#narrow${'/is/unread'.repeat(101)}`,
    `#narrow/search/${'x'.repeat(70_000)}`,
  ])('%.60s is no narrow', (hash) => {
    expect(parseNarrow(hash)).toBeUndefined();
  });

  it('give the id precedence, and fall back to the name of a channel', () => {
    const channels = new Map([
      ['test team', 1],
      ['311-help', 4],
      ['collider', 311],
    ]);
    const known = (without?: number) => ({
      hasChannel: (one: number) => one !== without && [...channels.values()].includes(one),
      findChannel: (name: string) => channels.get(name),
    });
    const opened = (hash: string, without?: number) =>
      parseNarrow(hash, known(without))?.terms[0]?.operand;
    expect(opened('#narrow/stream/311-help')).toBe(311);
    expect(opened('#narrow/stream/311-help', 311)).toBe(4);
    expect(opened('#narrow/stream/test-team')).toBe(1);
    expect(opened('#narrow/stream/999-gone')).toBe(999);
    expect(opened('#narrow/stream/gone')).toBe('gone');
  });

  it('open in the client only if they lead to it', () => {
    const origin = 'https://chat.example:444';
    const opens = (href: string) => parseLink(href, origin) !== undefined;
    expect(opens('#narrow/stream/check')).toBe(true);
    expect(opens('/#narrow/stream/check')).toBe(true);
    expect(opens('https://chat.example:444/#narrow/stream/check')).toBe(true);
    for (const href of [
      'https://chat.example/#narrow/stream/check',
      'https://other.example/#narrow/stream/check',
      '//other.example/#narrow/stream/check',
      'https://chat.example:444//#narrow/stream/check',
      '/user_uploads/#narrow/stream/check',
      '/?x#narrow/stream/check',
      'web/*/https://chat.example:444/#narrow/stream/check',
      'javascript:alert(1)#narrow/stream/check',
      'http://[',
    ]) {
      expect(opens(href), href).toBe(false);
    }
  });
});
