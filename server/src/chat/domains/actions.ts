// The domains whose people may join, where the organization restricts them.
import type { Context } from '../../platform/context.ts';
import { badRequest } from '../http/errors.ts';
import { liftDomainRestriction } from '../org/actions.ts';
import { domainRemoved, domainSaved, type Domain } from './events.ts';
import { readDomain } from './rules.ts';
import { deleteDomain, insertDomain, listDomains, lockDomains, updateDomain } from './store.ts';

const DOMAINS_MAX = 1000;

/** Returns its number, and its name as it is kept. */
export function addDomain(
  ctx: Context,
  name: string,
  allowsSubdomains: boolean,
): Promise<[number, string]> {
  const domain = readDomain(name);
  return ctx.inTransaction(async (tx) => {
    await lockDomains(tx);
    const all = await listDomains(tx);
    if (all.some((one) => one.domain === domain)) {
      throw badRequest(`The domain ${domain} is already a part of your organization.`);
    }
    if (all.length >= DOMAINS_MAX) {
      throw badRequest(`There cannot be more than ${DOMAINS_MAX} domains.`);
    }
    const added: Domain = { domain, allow_subdomains: allowsSubdomains };
    const id = await insertDomain(tx, added);
    tx.emit(domainSaved('add', added), { everyone: true });
    return [id, domain];
  });
}

export function changeDomain(ctx: Context, name: string, allowsSubdomains: boolean): Promise<void> {
  const changed: Domain = { domain: name.toLowerCase(), allow_subdomains: allowsSubdomains };
  return ctx.inTransaction(async (tx) => {
    if (!(await updateDomain(tx, changed))) throw noSuchDomain(name);
    tx.emit(domainSaved('change', changed), { everyone: true });
  });
}

/** With the last one goes the restriction: otherwise nobody at all could join. */
export function removeDomain(ctx: Context, name: string): Promise<void> {
  const domain = name.toLowerCase();
  return ctx.inTransaction(async (tx) => {
    await lockDomains(tx);
    if (!(await deleteDomain(tx, domain))) throw noSuchDomain(name);
    tx.emit(domainRemoved(domain), { everyone: true });
    if ((await listDomains(tx)).length === 0) await liftDomainRestriction(tx);
  });
}

const noSuchDomain = (name: string) => badRequest(`No entry found for domain ${name}.`);
