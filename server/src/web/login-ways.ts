// Which ways in the sign-in page offers at present.
import { hasDirectory } from '../accounts/ldap/settings.ts';
import { listProvidersInUse } from '../accounts/oidc/access.ts';
import { readMethodsOff } from '../accounts/organization.ts';
import { isOpenToAll } from '../chat/administration/invitations/register.ts';
import { readOrganizationSettings } from '../chat/organization/org/access.ts';
import type { ApiContext } from '../platform/context.ts';
import { isMailConfigured } from '../platform/mail/transport.ts';
import type { LoginForm } from './login-page.ts';

type Ways = Pick<LoginForm, 'takesPasswords' | 'providers' | 'offersAccount'>;

export async function waysOf(ctx: ApiContext): Promise<Ways> {
  const off = await readMethodsOff(ctx.db);
  return {
    takesPasswords: !off.includes('Email') || (hasDirectory(ctx.config) && !off.includes('LDAP')),
    providers: await listProvidersInUse(ctx),
    offersAccount:
      isMailConfigured(ctx.config) &&
      isOpenToAll({ settings: await readOrganizationSettings(ctx.db) }),
  };
}
