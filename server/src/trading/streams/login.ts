// Login with a trading key, and logout. The rules are those of a signed request: address, signature, window, replay.
import { Type } from 'typebox';
import { RequestProblem } from '../../accounts/trading-keys/problem.ts';
import { refuse } from '../http/errors.ts';
import { operation, type Call } from './operation.ts';

/** What a signature of version 2 covers besides the text; the text itself goes as a query string would. */
const METHOD = 'GET';
const PATH = '/v1/ws';

const Identified = Type.Object({
  accountId: Type.String({ description: 'The account of the key.' }),
  keyId: Type.String({ description: 'The key.' }),
  permissions: Type.Array(Type.String(), { description: 'What the key may do.' }),
});

export const login = operation({
  name: 'login',
  access: 'public',
  summary:
    'Proves who is there, once for the connection. The signed text is `apiKey=…&timestamp=…`, followed by `&recvWindow=…` and `&nonce=…` if they are sent. A refused login closes the connection with 4001.',
  params: Type.Object({
    apiKey: Type.String({ maxLength: 64, description: 'The key.' }),
    timestamp: Type.String({ maxLength: 20, description: 'The time in milliseconds.' }),
    signature: Type.String({
      maxLength: 200,
      description: 'Signature of the text, lower-case hexadecimal digits.',
    }),
    recvWindow: Type.Optional(Type.String({ maxLength: 20, description: 'As in a request.' })),
    nonce: Type.Optional(Type.String({ maxLength: 64, description: 'As in a request.' })),
    signatureVersion: Type.Optional(
      Type.String({ maxLength: 2, description: `\`2\` covers \`${METHOD}\` and \`${PATH}\` too.` }),
    ),
  }),
  returns: Identified,
  errors: [
    'API_KEY_INVALID',
    'ADDRESS_NOT_ALLOWED',
    'SIGNATURE_INVALID',
    'TIMESTAMP_INVALID',
    'TIMESTAMP_OUTSIDE_WINDOW',
    'REPLAYED',
    'PARAMETER_CONFLICT',
  ],
  async handle({ streams, connection, nowMs }: Call, asked) {
    if (connection.identity !== undefined) {
      throw refuse(
        'PARAMETER_CONFLICT',
        'The connection has an identity already, and has one only. Open another connection for another key.',
        { parameter: 'apiKey' },
      );
    }
    const { apiKey, timestamp, recvWindow, nonce, signature, signatureVersion } = asked;
    const text = [
      ['apiKey', apiKey],
      ['timestamp', timestamp],
      ['recvWindow', recvWindow],
      ['nonce', nonce],
    ]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
      .join('&');
    try {
      const { key } = await streams.own.verifier.verify({
        method: METHOD,
        path: PATH,
        query: text,
        hasBody: false,
        body: NO_BODY,
        mediaType: '',
        // A login is good once, like a write.
        isRead: false,
        keyId: apiKey,
        signature,
        signatureVersion,
        address: connection.address,
        nowMs,
      });
      const { keyId, permissions, markets, account } = key;
      connection.identity = { keyId, permissions, markets, account };
      streams.own.credentials.watch(connection);
      return { accountId: String(account.id), keyId, permissions: [...permissions] };
    } catch (error) {
      // The answer leaves first.
      if (error instanceof RequestProblem) setImmediate(() => connection.close('loginFailed'));
      throw error;
    }
  },
});

const NO_BODY = Buffer.alloc(0);

export const logout = operation({
  name: 'logout',
  access: 'private',
  summary:
    'Ends the session in good order: orders stay, whatever `cancel_on_disconnect` says. The connection has no identity afterwards, leaves its private channels and may log in again.',
  params: Type.Object({}),
  returns: Type.Object({}),
  async handle({ streams, connection }: Call) {
    await streams.own.guards.drop(connection);
    streams.own.forget(connection);
    connection.identity = undefined;
    return {};
  },
});
