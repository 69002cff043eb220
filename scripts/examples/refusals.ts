// Calls that are refused, so that the catalogue of errors shows real answers.
import type { WorldUsers } from '../demo/world.ts';
import type { Director } from './director.ts';
import type { Prices } from './trading.ts';

export async function playTradingRefusals({ refuse }: Director, prices: Prices): Promise<void> {
  const bid = {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: prices.low,
    volume: '0.01',
  };
  const order = (code: string, changes: Readonly<Record<string, unknown>>) =>
    refuse(code, 'privateOrderCreate', 'trader_a', { ...bid, ...changes });
  await refuse('2001', 'publicOrderbook', 'nobody');
  await refuse('2003', 'publicOrderbook', 'nobody', { symbol: 'btcusdt', limit: '100000' });
  await refuse('4001', 'publicDepth', 'nobody', { symbol: 'btcusd' });
  await refuse('4002', 'publicCoinsInfo', 'nobody', { symbol: 'bct' });
  await order('2002', { side: 'both' });
  await order('2004', { leverage: '10' });
  await order('2009', { type: 'market' });
  await order('4004', { symbol: 'ltcusdt', price: '90.00', volume: '1' });
  await order('4005', { price: '64250.123' });
  await order('4006', { volume: '0.0000001' });
  await order('4007', { volume: '0.00001' });
  await order('4008', { price: prices.high, postOnly: true });
  await order('4009', { price: '200000.00' });
  await order('4010', { volume: '100000' });
  await order('4012', { clientOrderId: 'desk-a-1', volume: '0.02' });
  await order('5001', { volume: '90' });
  await refuse('4011', 'privateOrderGet', 'trader_a', { orderId: '1' });
  await refuse('4013', 'privateOrderCancel', 'trader_a', { clientOrderId: 'desk-a-2' });
  await refuse('3012', 'privateApiKeyList', 'nobody');
  await refuse('7001', 'privateSubAccountClose', 'trader_a', { accountId: '999999' });
}

export async function playChatRefusals({ refuse }: Director, users: WorldUsers): Promise<void> {
  await refuse('BAD_REQUEST', 'send-message', 'member', { type: 'channel', to: 'general' });
  await refuse('UNAUTHORIZED', 'get-own-user', 'nobody');
  await refuse('AUTHENTICATION_FAILED', 'fetch-api-key', 'nobody', {
    username: users.member.email,
    password: 'not the password',
  });
  await refuse('BAD_EVENT_QUEUE_ID', 'get-events', 'member', {
    queue_id: '00000000-0000-4000-8000-000000000000',
    last_event_id: -1,
  });
  await refuse('STREAM_DOES_NOT_EXIST', 'send-message', 'member', {
    type: 'channel',
    to: 'nowhere',
    topic: 'lost',
    content: 'Is anybody here?',
  });
  await refuse('BAD_NARROW', 'get-messages', 'member', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'colour', operand: 'blue' }],
  });
  await refuse('UNAUTHORIZED_PRINCIPAL', 'update-realm', 'member', { description: 'Mine.' });
  await refuse('REACTION_DOES_NOT_EXIST', 'remove-reaction', 'member', {
    message_id: 1,
    emoji_name: 'tada',
  });
  await refuse('PERMISSION_DENIED', 'get-bot-storage', 'member');
}
