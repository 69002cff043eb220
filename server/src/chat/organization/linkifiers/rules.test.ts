import { expect, it } from 'vitest';
import { checkLinkifier } from './rules.ts';

const check = (pattern: string, urlTemplate: string, alternativeUrlTemplates: string[] = []) =>
  checkLinkifier({ pattern, urlTemplate, alternativeUrlTemplates });

it('accepts a pattern whose groups are the variables of its template', () => {
  expect(() => check('#(?P<id>[0-9]+)', 'https://example.com/{id}')).not.toThrow();
  expect(() =>
    check('#(?P<id>[0-9]+)', 'https://example.com/{id}', ['https://e.com/{id}']),
  ).not.toThrow();
});

it.each([
  ['', 'https://example.com/{id}', 'pattern', 'This field cannot be blank.'],
  ['#(?P<id>[0-9]+)', ' ', 'url_template', 'This field cannot be blank.'],
  ['#(?P<id>[0-9]+)', 'https://example.com/{id', 'url_template', 'Invalid URL template.'],
  [
    '#(?P<id>[0-9]+)',
    'https://example.com/{other}',
    '__all__',
    "Group 'other' in URL template is not present in linkifier pattern.",
  ],
  [
    '(?P<org>[a-z]+)#(?P<id>[0-9]+)',
    'https://example.com/{id}',
    '__all__',
    "Group 'org' in linkifier pattern is not present in URL template.",
  ],
])('refuses %j with %j, by field', (pattern, template, field, message) => {
  expect(() => check(pattern, template)).toThrow(
    expect.objectContaining({ message, fields: { errors: { [field]: [message] } } }),
  );
});

it.each(['#(?P<id>[0-9]+', '(?=look)ahead', '(a)\\1'])(
  'refuses %j, which RE2 does not know',
  (pattern) => {
    expect(() => check(pattern, 'https://example.com/')).toThrow(/^Bad regular expression: /);
  },
);

it('refuses alternatives that are not templates', () => {
  expect(() => check('#(?P<id>[0-9]+)', 'https://example.com/{id}', ['{'])).toThrow(
    'Invalid URL template.',
  );
});
