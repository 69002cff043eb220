// Second factors in tests: a person's authenticator app, and their recovery codes.
import { beginTotp, confirmTotp } from '../accounts/second-factors/actions.ts';
import { codeAt, stepAt } from '../accounts/second-factors/totp.ts';
import type { User } from '../accounts/user.ts';
import type { Context } from '../platform/context.ts';
import { hiddenFields, openBrowser, type Browser } from './browser.ts';
import type { TestServer } from './server.ts';

export interface Authenticator {
  /** A code that was not given before and is accepted now. The third one waits for the next step. */
  next(): Promise<string>;
  readonly recoveryCodes: readonly string[];
}

/** Gives a person a confirmed authenticator. Their chat key stays. */
export async function giveTotp(ctx: Context, user: User): Promise<Authenticator> {
  const { uri } = await beginTotp(ctx, user);
  const secret = secretIn(uri);
  // The code of the step before, so that the present one and the next are left.
  const first = (await databaseStep(ctx)) - 1n;
  const recoveryCodes = await confirmTotp(ctx, user, {
    code: codeAt(secret, first),
    address: '127.0.0.1',
    replaceKey: undefined,
  });
  return { recoveryCodes, ...authenticatorOf(ctx, secret, first) };
}

export const authenticatorOf = (
  ctx: Pick<Context, 'database'>,
  secret: Buffer,
  lastStep = 0n,
): Pick<Authenticator, 'next'> => {
  let last = lastStep;
  return {
    async next() {
      let now = await databaseStep(ctx);
      while (last > now) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        now = await databaseStep(ctx);
      }
      last = last < now ? now : now + 1n;
      return codeAt(secret, last);
    },
  };
};

async function databaseStep({ database }: Pick<Context, 'database'>): Promise<bigint> {
  const { rows } = await database.pool.query<{ seconds: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds',
  );
  return stepAt(rows[0]?.seconds ?? 0);
}

/** The secret that an authenticator reads. */
export const secretIn = (uri: string): Buffer =>
  fromBase32(new URL(uri).searchParams.get('secret') ?? '');

export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) {
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

/** The present code of the secret that a page or an answer shows as text. */
export async function codeShown(ctx: Pick<Context, 'database'>, text: string): Promise<string> {
  const [, shown = ''] = /\b((?:[A-Z2-7]{4} ?){8})(?![A-Z2-7])/.exec(text) ?? [];
  return codeAt(fromBase32(shown.replaceAll(' ', '')), await databaseStep(ctx));
}

/** A browser that went through both stages. */
export async function signInWithCode(
  server: Pick<TestServer, 'origin'>,
  email: string,
  password: string,
  code: string,
): Promise<Browser> {
  const browser = openBrowser(server);
  await browser.signIn(email, password);
  const fields = hiddenFields((await browser.get('/accounts/login/factor/')).text);
  await browser.post('/accounts/login/factor/', { ...fields, code });
  return browser;
}
