import { badRequest } from '../http/errors.ts';

const LENGTH_MAX = 80;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The domain in small letters; anything that mail cannot be sent to is refused, with the reason. */
export function readDomain(text: string): string {
  const domain = text.trim().toLowerCase();
  const problem = findProblem(domain);
  if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`);
  return domain;
}

function findProblem(domain: string): string | undefined {
  if (domain === '') return "Domain can't be empty.";
  if (domain.length > LENGTH_MAX) return `Domain is too long (limit: ${LENGTH_MAX} characters).`;
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.startsWith('.') || domain.endsWith('.')) {
    return 'Domain cannot start or end with a dot (.)';
  }
  const labels = domain.split('.');
  if (labels.includes('')) return "Consecutive '.' are not allowed.";
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  return labels.every((label) => LABEL.test(label))
    ? undefined
    : "Domain can only have letters, numbers, '.' and '-'s.";
}
