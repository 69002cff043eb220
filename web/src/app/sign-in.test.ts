import { expect, it } from 'vitest';
import { signInHref } from './sign-in.ts';

it('the way to sign in leads back to the same address, with what stands behind the #', () => {
  const href = signInHref({
    pathname: '/',
    search: '?over=people',
    hash: '#narrow/channel/7/topic/a.20b',
  });
  const next = new URL(href, 'http://here.invalid').searchParams.get('next');
  expect(next).toBe('/?over=people#narrow/channel/7/topic/a.20b');
});
