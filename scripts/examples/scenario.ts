// The whole scenario, in its order.
import type { WorldUsers } from '../demo/world.ts';
import { playChannels } from './chat/channels.ts';
import { playMessages } from './chat/messages.ts';
import { playOrganization } from './chat/organization.ts';
import { playFarewell, playPeople, playStatus } from './chat/people.ts';
import type { Director } from './director.ts';
import { playChatRefusals, playTradingRefusals } from './refusals.ts';
import { playAccount, playMarket, playOrders } from './trading.ts';

export async function playTrading(director: Director): Promise<void> {
  const prices = await playMarket(director);
  await playOrders(director, prices);
  await playAccount(director, Date.now());
  await playTradingRefusals(director, prices);
}

export async function playChat(director: Director, users: WorldUsers): Promise<void> {
  await playPeople(director, users);
  await playStatus(director, users);
  await playChannels(director, users);
  await playMessages(director, users);
  await playOrganization(director);
  await playChatRefusals(director, users);
  await playFarewell(director);
}
