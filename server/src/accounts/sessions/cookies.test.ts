import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cookieNames, expiredCookies, parseCookie, sessionCookies } from './cookies.ts';

describe('a cookie', () => {
  it('is found among others, whatever those contain', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9_-]{0,43}$/);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^;]{0,20}$/)), value, (others, wanted) => {
        const before = others.filter((one) => one.split('=', 1)[0]?.trim() !== 'sessionid');
        const header = [...before, `sessionid=${wanted}`, 'sessionid=later'].join('; ');
        expect(parseCookie(header, 'sessionid')).toBe(wanted);
      }),
    );
    expect(parseCookie('xsessionid=1; sessionidx=2; =3; sessionid', 'sessionid')).toBeUndefined();
    expect(parseCookie(undefined, 'sessionid')).toBeUndefined();
  });

  it('of a session is bound to the host and to https, and scripts cannot read it', () => {
    const given = { token: 't', csrfToken: 'c' };
    expect(sessionCookies(given, { secure: true, maxAgeSeconds: 60 })).toEqual([
      '__Host-sessionid=t; Path=/; Max-Age=60; SameSite=Lax; Secure; HttpOnly',
      '__Host-csrftoken=c; Path=/; Max-Age=60; SameSite=Lax; Secure',
    ]);
  });

  it('has no prefix over plain http, where browsers would refuse it', () => {
    expect(cookieNames(false)).toEqual({
      session: 'sessionid',
      csrf: 'csrftoken',
      device: 'device',
      link: 'link',
      signIn: 'signin',
      provider: 'provider',
      app: 'app',
    });
    for (const header of expiredCookies(false)) {
      expect(header).toContain('Max-Age=0');
      expect(header).not.toContain('Secure');
    }
  });
});
