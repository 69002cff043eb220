// Validates the name of an email domain. Pure.

const LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;
const DOMAIN_CHARACTERS_MAX = 80;

/** Why the text is not a domain; undefined when it is one. */
export function findDomainProblem(text: string): string | undefined {
  if (text === '') return "Domain can't be empty.";
  if (text.length > DOMAIN_CHARACTERS_MAX) return 'Domain is too long';
  if (!text.includes('.')) return 'Domain must have at least one dot (.)';
  if (text.startsWith('.') || text.endsWith('.'))
    return 'Domain cannot start or end with a dot (.)';
  const labels = text.split('.');
  if (labels.includes('')) return "Consecutive '.' are not allowed.";
  if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
    return "Subdomains cannot start or end with a '-'.";
  }
  if (!labels.every((label) => LABEL.test(label))) {
    return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return undefined;
}
