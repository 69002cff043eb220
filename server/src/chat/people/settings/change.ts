// Changes one person's settings. Callers check the permission.
import { saveSettings, tellVisibility } from '../../../accounts/users/actions.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { forgetDrafts } from '../../messages/drafts/actions.ts';
import {
  canonical,
  isDefault,
  settingOf,
  type SettingValue,
} from '../../organization/setting-definitions/definitions.ts';
import { LANGUAGES } from '../../organization/setting-definitions/languages.ts';
import { announceVisibility } from '../presence/actions.ts';
import { settingUpdated } from './events.ts';

/** Stores the changed values and tells the person's clients, in the caller's transaction. */
export async function storeSettings(
  tx: Tx,
  ctx: Pick<Context, 'config' | 'clock'>,
  user: User,
  given: Readonly<Record<string, SettingValue>>,
): Promise<void> {
  const stored: Record<string, unknown> = { ...user.settings };
  let isChanged = false;
  for (const [name, text] of Object.entries(given)) {
    const value = canonical(name, text);
    if (settingOf(user, name) === value) continue;
    isChanged = true;
    if (isDefault(name, value)) delete stored[name];
    else stored[name] = value;
    const language = name === 'default_language' ? LANGUAGES[String(value)] : undefined;
    tx.emit(settingUpdated(name, value, language), { users: [user.id] });
    if (name === 'enable_drafts_synchronization' && value === false) {
      await forgetDrafts(tx, user.id);
    }
    if (name === 'email_address_visibility') tellVisibility(tx, user, Number(value));
    if (name === 'presence_enabled') await announceVisibility(tx, ctx, user, value === true);
  }
  if (isChanged) await saveSettings(tx, user.id, stored);
}
