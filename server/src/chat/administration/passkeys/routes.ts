// Routes of a person's own passkeys, for their browser. The browser makes a passkey from `options`, and sends back what
// its `toJSON()` gives.
import { Type } from 'typebox';
import { changePasskey, removePasskey } from '../../../accounts/passkeys/actions.ts';
import { askPasskey } from '../../../accounts/passkeys/check.ts';
import { makeRegistrationOptions, registerPasskey } from '../../../accounts/passkeys/register.ts';
import { RegistrationJson } from '../../../accounts/passkeys/shapes.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { chatRoute } from '../../http/route.ts';
import { renewChatKeyIn } from '../keys/actions.ts';

const PATH = '/second_factors/passkeys';
const LABEL_CHARACTERS_MAX = 200;

export const postPasskeyOptions = chatRoute({
  name: 'passkey-options',
  method: 'POST',
  path: `${PATH}/options`,
  allow: 'guest',
  bots: false,
  audit: { none: 'nothing' },
  grows: 'person',
  stepUp: 'fresh',
  summary: 'What your browser needs to make a passkey; good for five minutes, once.',
  params: Type.Object({}),
  returns: Type.Object({
    options: Type.Unknown({
      description: 'For PublicKeyCredential.parseCreationOptionsFromJSON().',
    }),
  }),
  handle: async (ctx, actor) => ({ options: await makeRegistrationOptions(ctx, actor) }),
});

export const postPasskey = chatRoute({
  name: 'create-passkey',
  method: 'POST',
  path: PATH,
  allow: 'guest',
  bots: false,
  audit: ['factor add', 'chat_key regenerate'],
  stepUp: 'fresh',
  summary: 'Adds a passkey to your account. The first second factor also replaces your API key.',
  params: Type.Object({
    response: RegistrationJson,
    label: Type.String({ maxLength: LABEL_CHARACTERS_MAX }),
    keep_key: Type.Optional(
      Type.Boolean({
        description: 'Whether the API key stays, although this is the first factor.',
      }),
    ),
  }),
  returns: Type.Object({ id: Type.Integer() }),
  handle: async (ctx, actor, { response, label, keep_key: keepsKey = false }, { caller }) => {
    const replaceKey = keepsKey ? undefined : (tx: Tx) => renewChatKeyIn(ctx, tx, actor);
    const id = await registerPasskey(ctx, actor, { response, label, address: caller, replaceKey });
    return { id: Number(id) };
  },
});

export const patchPasskey = chatRoute({
  name: 'update-passkey',
  method: 'PATCH',
  path: `${PATH}/{passkey_id:int}`,
  allow: 'guest',
  bots: false,
  audit: ['factor change'],
  stepUp: 'fresh',
  summary: 'Gives a passkey another label, or trusts it again after a suspicion.',
  params: Type.Object({
    label: Type.Optional(Type.String({ maxLength: LABEL_CHARACTERS_MAX })),
    trusted: Type.Optional(
      Type.Boolean({ description: 'True: there is no copy of it, and it can be used again.' }),
    ),
  }),
  returns: Type.Object({}),
  handle: async (ctx, actor, { passkey_id: id, label, trusted: isTrusted }) => {
    await changePasskey(ctx, actor, BigInt(id), { label, isTrusted });
    return {};
  },
});

export const deletePasskey = chatRoute({
  name: 'delete-passkey',
  method: 'DELETE',
  path: `${PATH}/{passkey_id:int}`,
  allow: 'guest',
  bots: false,
  audit: ['factor remove'],
  stepUp: 'fresh',
  summary: 'Removes a passkey. The last second factor stays, if the organization asks for one.',
  params: Type.Object({}),
  returns: Type.Object({}),
  handle: async (ctx, actor, { passkey_id: id }, { caller }) => {
    await removePasskey(ctx, actor, BigInt(id), caller);
    return {};
  },
});

export const postAskPasskey = chatRoute({
  name: 'ask-passkey',
  method: 'POST',
  path: '/step_up/passkey',
  allow: 'guest',
  bots: false,
  audit: { none: 'nothing' },
  grows: 'person',
  summary: 'What your browser needs to show a passkey again; good for five minutes, once.',
  params: Type.Object({
    act: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description:
          'The hash of the one act that it is for, for X-SVC-ASSERTION. Without it, it is for POST /json/step_up.',
      }),
    ),
  }),
  returns: Type.Object({
    options: Type.Unknown({
      description: 'For PublicKeyCredential.parseRequestOptionsFromJSON().',
    }),
  }),
  handle: async (ctx, actor, { act }) => ({
    options: await askPasskey(ctx, actor, act === undefined ? undefined : Buffer.from(act, 'hex')),
  }),
});
