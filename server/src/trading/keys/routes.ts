import { Type } from 'typebox';
import { deleteTradingKey } from '../../accounts/trading-keys/actions.ts';
import { refuse } from '../http/errors.ts';
import { tradingRoute } from '../http/route.ts';

export const deleteApiKey = tradingRoute({
  name: 'privateApiKeyDelete',
  method: 'DELETE',
  path: '/private/api_key/delete',
  access: 'key',
  audit: ['trading_key delete'],
  whileSuspended: true,
  summary:
    'Deletes the key that signs the request, at once and for good: for a key that may have leaked.',
  params: Type.Object({
    keyId: Type.String({
      maxLength: 64,
      description: 'The key itself.',
      examples: ['svc_key_2b7e151628aed2a6'],
    }),
  }),
  returns: Type.Object(
    { keyId: Type.String({ description: 'The key that is gone.' }) },
    { title: 'DeletedKey' },
  ),
  errors: ['SESSION_REQUIRED'],
  async handle(ctx, caller, { keyId }) {
    if (keyId !== caller.keyId) {
      throw refuse('SESSION_REQUIRED', 'A key deletes only itself. Sign with the key to delete.', {
        parameter: 'keyId',
      });
    }
    await deleteTradingKey(ctx, keyId);
    return { keyId };
  },
});
