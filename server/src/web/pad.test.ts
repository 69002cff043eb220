import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptForApp, isPad } from './pad.ts';

it('[I18] encrypts a key as the apps decrypt it', () => {
  const pad = createHash('sha256').update('pad').digest('hex');
  expect(encryptForApp('AbCdEfGhIjKlMnOpQrStUvWxYz012345', pad)).toBe(
    'b401bfb7bee33f11d2eaf81c2a55264e93d57dd1a889cdd8d7190d7fa2c77cde',
  );
});

it.each(['', 'ab'.repeat(31), 'ab'.repeat(33), 'zz'.repeat(32), `${'ab'.repeat(32)}\n`])(
  '[I18] %j is no pad',
  (text) => expect(isPad(text)).toBe(false),
);
