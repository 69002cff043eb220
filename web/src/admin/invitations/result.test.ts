import { ChatError } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { addressesIn, partialOf } from './result.ts';

const refusal = (code: string, details: Record<string, unknown>) =>
  new ChatError({ name: code, code, message: 'no', details, isRetryable: false, outcome: 'none' });

it('reads addresses however they are written, each once', () => {
  expect(addressesIn(' a@x.example, b@x.example;\n a@x.example ')).toEqual([
    'a@x.example',
    'b@x.example',
  ]);
  expect(addressesIn('  ')).toEqual([]);
});

it('tells who was invited and who was not', () => {
  const errors = [['mia@x.example', 'Already has an account.', false]];
  const some = refusal('INVITATION_FAILED', { errors, sent_invitations: true });
  const refused = [{ email: 'mia@x.example', why: 'Already has an account.' }];
  expect(partialOf(some, 4)).toEqual({ invited: 3, refused });
  const none = refusal('INVITATION_FAILED', { errors, sent_invitations: false });
  expect(partialOf(none, 4)).toEqual({ invited: 0, refused });
});

it('throws what is no partial result', () => {
  const error = refusal('INVITATION_FAILED', { errors: [], sent_invitations: false });
  expect(() => partialOf(error, 4)).toThrow(error);
  const other = new Error('no');
  expect(() => partialOf(other, 4)).toThrow(other);
});
