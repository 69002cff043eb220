import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../endpoints.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { encodePairs, toSent, type Call } from './request.ts';
import { typescriptSample } from './typescript.ts';

const endpoint = (given: Partial<Endpoint>): Endpoint => ({
  api: 'chat',
  id: 'send-message',
  page: 'chat/send-message',
  group: 'Messages',
  method: 'POST',
  path: '/api/v1/messages',
  authentication: 'chat-key',
  access: [],
  parameters: [],
  isRead: false,
  summary: 'Sends.',
  description: '',
  answer: {},
  errors: [],
  ...given,
});

const order = endpoint({
  api: 'trading',
  id: 'privateOrderListCreateOco',
  path: '/v1/private/order_list/create_oco',
  authentication: 'signature',
});

describe('a call as it is sent', () => {
  it('puts parts into the path, and leaves them out of the parameters', () => {
    const call: Call = {
      endpoint: endpoint({
        path: '/api/v1/users/{email}/presence',
        parameters: [
          { name: 'email', in: 'path', isRequired: true, type: 'string', isJson: false },
        ],
      }),
      params: { email: 'a b@c', ids: [1, 2], flag: true },
    };
    expect(toSent(call)).toEqual({
      method: 'POST',
      path: '/api/v1/users/a%20b%40c/presence',
      pairs: [
        ['ids', '[1,2]'],
        ['flag', 'true'],
      ],
    });
  });
});

describe('a sample for curl', () => {
  it('keeps any text as it is, whatever a shell makes of it', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        texts.filter((text) => !text.includes('\0')),
        (content) => {
          const sample = curlSample({ endpoint: endpoint({}), params: { content } });
          // The shell prints what curl would be given.
          const script = sample.replace(/^curl/, "printf '%s\\036'");
          const { stdout } = spawnSync('sh', ['-c', script], {
            encoding: 'utf8',
            env: { CHAT_USER: 'a:b' },
          });
          expect(stdout.split('\x1e')).toContain(`content=${content}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('signs exactly what it sends', () => {
    const params = { symbol: 'btcusdt', note: "it's & more" };
    const sample = curlSample({ endpoint: order, params });
    expect(sample).toContain(`TEXT='${encodePairs(Object.entries(params))}&timestamp='"$NOW"`);
    expect(sample).toContain('-d "$TEXT"');
  });
});

describe('a sample for TypeScript', () => {
  it('calls the method of the SDK', () => {
    expect(typescriptSample({ endpoint: order, params: { symbol: 'btcusdt' } })).toContain(
      "venue.orderList.createOco({ symbol: 'btcusdt' })",
    );
    expect(typescriptSample({ endpoint: endpoint({}), params: {} })).toContain(
      'chat.sendMessage()',
    );
  });
});

describe('a sample for Python', () => {
  it('is a program that Python can read', () => {
    for (const one of [order, endpoint({}), endpoint({ method: 'GET' })]) {
      const sample = pythonSample({ endpoint: one, params: { text: 'a "b"\n\\c' } }) ?? '';
      const { status, stderr } = spawnSync(
        'python3',
        ['-c', 'import ast,sys;ast.parse(sys.stdin.read())'],
        {
          input: sample,
          encoding: 'utf8',
        },
      );
      expect(status, stderr).toBe(0);
    }
  });
});
