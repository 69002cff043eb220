import { describe, expect, it } from 'vitest';
import { MEASURED } from '../../testing/measured.ts';
import { Estimator } from './estimator.ts';
import { estimate } from './estimate.ts';
import { onLatinKeys } from './persian.ts';
import { GUESSES_MIN, wordsOf } from './rules.ts';

const WORDS = wordsOf({ email: 'ada.lovelace@analytical.example', fullName: 'Ada Lovelace' }, [
  'Rialto Desk',
  'chat.rialto.example',
]);

describe('refused, and why', () => {
  it.each([
    ['Password123', 'common'],
    ['password', 'common'],
    ['qwerty12345', 'common'],
    ['12345678', 'common'],
    ['iloveyou1', 'common'],
    ['1qaz2wsx3edc', 'common'],
    ['aaaaaaaaaaaaaaaa', 'repeated'],
    ['abcabcabcabc', 'repeated'],
    ['abcdefghijk', 'sequence'],
    ['ada.lovelace@analytical.example', 'personal'],
    ['Ada.Lovelace', 'personal'],
    ['AdaLovelace1', 'personal'],
    ['lovelaceada99', 'personal'],
    ['4d4L0vel4ce!', 'personal'],
    ['Rialto2026', 'personal'],
    ['rialtodesk1', 'personal'],
  ])('%j: %s', (password, reason) => {
    const found = estimate(password, WORDS);
    expect(found.guesses).toBeLessThan(GUESSES_MIN);
    expect(found.reason).toBe(reason);
  });

  it('a word that is common in Persian counts as one word, in both scripts', () => {
    expect(estimate('گذرواژه', []).guesses).toBeLessThan(GUESSES_MIN);
    for (const [known, unknown] of [
      ['salam1234', 'xalam1234'],
      ['سلام۱۲۳۴', 'ژلام۱۲۳۴'],
    ] as const) {
      expect(estimate(known, []).guesses).toBeLessThan(estimate(unknown, []).guesses);
    }
  });

  it('capitals whose lower case is longer do not confuse it', () => {
    expect(estimate('İİİİlovelace', WORDS).guesses).toBeLessThan(GUESSES_MIN);
  });

  it('a common password is as common on a Persian keyboard', () => {
    expect(onLatinKeys('حشسسصخقی')).toBe('password');
    expect(estimate('حشسسصخقی', []).guesses).toBeLessThan(GUESSES_MIN);
    expect(onLatinKeys('plain text')).toBeUndefined();
  });
});

it.each([
  'violet kettle marching 42',
  'correct horse battery staple',
  'نان پنجره دریا چهارشنبه',
  'xkT9#pq2vB',
  'ada but also kettle marching',
])('%j is accepted', (password) => {
  expect(estimate(password, WORDS).guesses).toBeGreaterThanOrEqual(GUESSES_MIN);
});

describe('whose it is', () => {
  it('gives the words that are tried first, and no short or common ones', () => {
    expect(WORDS).toEqual(
      expect.arrayContaining(['ada.lovelace', 'adalovelace', 'lovelace', 'rialto', 'rialto desk']),
    );
    expect(wordsOf({ email: 'al@x.com', fullName: 'Al Bo' }, [])).toEqual([
      'al@x.com',
      'alxcom',
      'al bo',
      'albo',
    ]);
  });

  it('gives a bounded number, however long a name is', () => {
    const fullName = Array.from({ length: 500 }, (_, n) => `name${n}`).join(' ');
    expect(wordsOf({ email: 'a@b.example', fullName }, []).length).toBeLessThanOrEqual(60);
  });
});

describe('the time it takes', () => {
  // All of these took seconds before the estimate was bounded; a hundred characters cost as much as
  // thirty-two.
  it.each([
    ['substitutions', '4@8({[<369&#!i1|7+$5zs0o'.repeat(4)],
    ['dates', '20240101'.repeat(12)],
    ['sequences', 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(3)],
    ['mixed', 'aB1$'.repeat(25)],
    ['emoji', '😀'.repeat(50)],
    ['Persian', 'گذرواژه'.repeat(14)],
  ])('does not grow beyond the part that is estimated: %s', MEASURED, (_what, text) => {
    const measure = (password: string) => {
      const start = performance.now();
      for (let round = 0; round < 3; round += 1) estimate(password, WORDS);
      return performance.now() - start;
    };
    const long = text.slice(0, 100);
    const short = text.slice(0, 32);
    measure(short);
    expect(measure(long)).toBeLessThan(6 * measure(short) + 200);
  });
});

describe('the thread', () => {
  it('answers many concurrent questions, in order', async () => {
    const estimator = new Estimator();
    const answers = await Promise.all(
      ['Password123', 'violet kettle marching 42', 'qwerty12345'].map((password) =>
        estimator.ask(password, []),
      ),
    );
    expect(answers.map(({ guesses }) => guesses < GUESSES_MIN)).toEqual([true, false, true]);
    await estimator.close();
  });

  const silent = new URL('data:text/javascript,setInterval(() => {}, 1000)');
  const broken = new URL('data:text/javascript,throw new Error("broken")');

  it.each([
    ['never answers', silent],
    ['ends', broken],
  ])('that %s refuses and accepts no password unchecked', async (_what, program) => {
    const estimator = new Estimator({ program, startMs: 300, deadlineMs: 300 });
    const asked = [estimator.ask('a', []), estimator.ask('b', [])];
    for (const one of asked) await expect(one).rejects.toMatchObject({ status: 503 });
  });

  it('refuses at once when overloaded', async () => {
    const estimator = new Estimator({ program: silent, startMs: 300, waitingMax: 2 });
    const asked = Array.from({ length: 10 }, () => estimator.ask('a', []));
    const settled = await Promise.allSettled(asked);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
