import { describe, expect, it } from 'vitest';
import { channelKindOf, textsIn } from './texts.ts';

const ada = { id: 7, fullName: 'Ada' };
const en = textsIn('en');
const fa = textsIn('fa');

describe('texts of the notification bot', () => {
  it('are English unless the organization’s language is Persian', () => {
    expect(textsIn('de')).toBe(en);
    expect(textsIn(undefined)).toBe(en);
    expect(fa.eventsTopic).toBe('رویدادهای کانال');
  });

  it.each([
    [en.announced(ada, ['dev']), '@_**Ada|7** created a new channel #**dev**.'],
    [en.subscribed(ada, ['dev']), '@_**Ada|7** subscribed you to #**dev**.'],
    [en.addedToGroup(ada, 'desk'), '@_**Ada|7** added you to the group @_*desk*.'],
    [en.resolved(ada), '@_**Ada|7** has marked this topic as resolved.'],
    [en.unresolved(ada), '@_**Ada|7** has marked this topic as unresolved.'],
    [
      en.movedAway(ada, { count: 3, isWhole: true }, { channel: 'dev', topic: 'x' }),
      'This topic was moved to #**dev>x** by @_**Ada|7**.',
    ],
    [
      en.movedAway(ada, { count: 3, isWhole: false }, undefined),
      '3 messages were moved from this topic to a private channel by @_**Ada|7**.',
    ],
    [
      en.movedHere(ada, { count: 1, isWhole: false }, { channel: 'dev', topic: 'x' }, '/#n'),
      '[A message](/#n) was moved here from #**dev>x** by @_**Ada|7**.',
    ],
    [
      fa.movedHere(ada, { count: 12, isWhole: false }, { channel: 'dev', topic: 'x' }, '/#n'),
      '@_**Ada|7** ۱۲ پیام را از #**dev>x** به اینجا منتقل کرد.',
    ],
    [
      en.notSent(new Date(0), 'No.'),
      'The message that you scheduled for <time:1970-01-01T00:00:00.000Z> was not sent:\n' +
        '```` quote\nNo.\n````\nIt is still among your [scheduled messages](/#scheduled).',
    ],
    [
      fa.reminded({ message: undefined, note: 'الف' }),
      'خواسته بودید پیامی به شما یادآوری شود که دیگر نمی‌توانید آن را بخوانید. ' +
        '**یادداشت:**\n```` quote\nالف\n````',
    ],
    [
      fa.reminded({
        message: { sender: ada, where: { channel: 'dev', topic: 'x' }, path: '/#n', content: 'C' },
        note: '',
      }),
      'خواسته بودید پیامی در #**dev>x** به شما یادآوری شود.\n\n' +
        '@_**Ada|7** [گفته بود](/#n):\n```` quote\nC\n````',
    ],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });

  it('name the four kinds of channels', () => {
    const of = (inviteOnly: boolean, isWebPublic: boolean, historyPublicToSubscribers: boolean) =>
      en.created(ada, channelKindOf({ inviteOnly, isWebPublic, historyPublicToSubscribers }), 'D');
    expect(of(false, true, true)).toBe(
      '**Web-public** channel created by @_**Ada|7**. **Description:**\n```` quote\nD\n````',
    );
    expect(of(false, false, true)).toMatch(/^\*\*Public\*\* /);
    expect(of(true, false, true)).toMatch(/^\*\*Private, shared history\*\* /);
    expect(of(true, false, false)).toMatch(/^\*\*Private, protected history\*\* /);
    expect(en.created(ada, 'public', '')).toContain('*No description.*');
  });

  it('quote so that the quoted text cannot end the quote', () => {
    expect(en.created(ada, 'public', '````` out')).toContain('`````` quote\n````` out\n``````');
  });

  it('start with the name, which an undo relies on', () => {
    for (const texts of [en, fa]) {
      expect(texts.resolved(ada)).toMatch(/^@_\*\*Ada\|7\*\* /);
      expect(texts.unresolved(ada)).toMatch(/^@_\*\*Ada\|7\*\* /);
    }
  });
});
