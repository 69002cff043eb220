import { Type, type Static } from 'typebox';

export const Domain = Type.Object(
  { domain: Type.String(), allow_subdomains: Type.Boolean() },
  { additionalProperties: false },
);
export type Domain = Static<typeof Domain>;

const type = Type.Literal('realm_domains');
const closed = { additionalProperties: false } as const;
const DomainAdded = Type.Object({ type, op: Type.Literal('add'), realm_domain: Domain }, closed);
const DomainChanged = Type.Object(
  { type, op: Type.Literal('change'), realm_domain: Domain },
  closed,
);
const DomainRemoved = Type.Object(
  { type, op: Type.Literal('remove'), domain: Type.String() },
  closed,
);

export const DOMAIN_EVENTS = [DomainAdded, DomainChanged, DomainRemoved];
export type DomainEvent =
  Static<typeof DomainAdded> | Static<typeof DomainChanged> | Static<typeof DomainRemoved>;

export const domainSaved = <const Op extends 'add' | 'change'>(op: Op, domain: Domain) =>
  ({ type: 'realm_domains', op, realm_domain: domain }) as const;
export const domainRemoved = (domain: string) =>
  ({ type: 'realm_domains', op: 'remove', domain }) as const;
