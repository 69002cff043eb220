// Sets and changes the URL of an outgoing webhook.
import { noteAct } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { tellServiceChanged } from './announce.ts';
import { badRequest } from '../../http/errors.ts';
import { newToken, type Interface, type ServiceRow } from '../../messages/bot-services/service.ts';
import { lockService, writeService } from '../../messages/bot-services/store.ts';

export interface ServiceChanges {
  readonly baseUrl?: string | undefined;
  readonly interface?: Interface | undefined;
}

export async function addService(
  tx: Tx,
  bot: User,
  { baseUrl, interface: form }: { readonly baseUrl: string; readonly interface: Interface },
): Promise<void> {
  await writeService(tx, bot.id, { base_url: baseUrl, interface: form, token: newToken() });
  await tellServiceChanged(tx, bot);
}

/** Returns the webhook after the change. Refuses bots that have none. */
export async function changeService(
  tx: Tx,
  bot: User,
  { baseUrl, interface: form }: ServiceChanges,
): Promise<ServiceRow> {
  const before = await lockService(tx, bot.id);
  if (before === undefined) {
    throw badRequest('Only a bot of type 3 (outgoing webhook) has a payload URL and an interface.');
  }
  const after = {
    ...before,
    base_url: baseUrl ?? before.base_url,
    interface: form ?? before.interface,
  };
  if (after.base_url === before.base_url && after.interface === before.interface) return before;
  await writeService(tx, bot.id, after);
  await tellServiceChanged(tx, bot);
  const told = ({ base_url, interface: one }: ServiceRow) => ({
    baseUrl: base_url,
    interface: one,
  });
  noteAct(tx, {
    act: 'bot set_service',
    subject: bot.email,
    before: told(before),
    after: told(after),
    details: { userId: bot.id },
  });
  return after;
}

/** Replaces the token of an outgoing webhook, because a former owner of the bot may know the old one. */
export async function renewToken(tx: Tx, bot: User): Promise<void> {
  const service = await lockService(tx, bot.id);
  if (service === undefined) return;
  await writeService(tx, bot.id, { ...service, token: newToken() });
  await tellServiceChanged(tx, bot);
}
