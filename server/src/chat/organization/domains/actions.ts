// Adds and removes the domains whose addresses may join. Only owners may, as only they switch that restriction on.
import { noteAct, noteChange } from '../../../accounts/audit/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { domainRemoved, domainSaved, type Domain } from './events.ts';
import { findDomainProblem } from './rules.ts';
import { deleteDomain, insertDomain, listDomains, updateDomain } from './store.ts';

const DOMAINS_MAX = 1000;
const EVERYONE = { everyone: true } as const;

export function addDomain(ctx: Context, given: Domain): Promise<void> {
  const domain = { ...given, domain: given.domain.toLowerCase() };
  const problem = findDomainProblem(domain.domain);
  if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`);
  return ctx.inTransaction(async (tx) => {
    if (!(await insertDomain(tx, domain))) {
      throw badRequest(`The domain ${domain.domain} is already a part of your organization.`);
    }
    if ((await listDomains(tx)).length > DOMAINS_MAX) {
      throw badRequest(`There cannot be more than ${DOMAINS_MAX} domains.`);
    }
    tx.emit(domainSaved('add', domain), EVERYONE);
    noteAct(tx, { act: 'domain add', subject: domain.domain, after: domain });
  });
}

export function changeDomain(ctx: Context, given: Domain): Promise<void> {
  const domain = { ...given, domain: given.domain.toLowerCase() };
  return ctx.inTransaction(async (tx) => {
    const before = (await listDomains(tx)).find((one) => one.domain === domain.domain);
    if (!(await updateDomain(tx, domain))) throw noEntry(given.domain);
    tx.emit(domainSaved('change', domain), EVERYONE);
    noteChange(tx, {
      act: 'domain change',
      subject: domain.domain,
      before: before ?? {},
      after: domain,
    });
  });
}

export function removeDomain(ctx: Context, given: string): Promise<void> {
  const domain = given.toLowerCase();
  return ctx.inTransaction(async (tx: Tx) => {
    const before = (await listDomains(tx)).find((one) => one.domain === domain);
    if (!(await deleteDomain(tx, domain))) throw noEntry(given);
    tx.emit(domainRemoved(domain), EVERYONE);
    noteAct(tx, { act: 'domain remove', subject: domain, before: before ?? {} });
  });
}

const noEntry = (domain: string) => badRequest(`No entry found for domain ${domain}.`);
