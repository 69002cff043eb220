import { expect, it } from 'vitest';
import { directionOf, grouped, showChange } from './figures.ts';

it.each([
  ['', '–'],
  ['0.00012300', '0.00012300'],
  ['999', '999'],
  ['1000', '1,000'],
  ['64210.50', '64,210.50'],
  ['12345678901234567890.123456789012345678', '12,345,678,901,234,567,890.123456789012345678'],
])('%j is printed as %j, digit for digit', (given, printed) => {
  expect(grouped(given, 'en')).toBe(printed);
});

it.each([
  ['', 'level', '–'],
  ['0.00', 'level', '0.00%'],
  ['-0.00', 'level', '0.00%'],
  ['1.24', 'up', '▲ +1.24%'],
  ['-12.50', 'down', '▼ −12.50%'],
])('a change of %j is %s and printed as %j', (given, direction, printed) => {
  expect(directionOf(given)).toBe(direction);
  expect(showChange(given, 'en')).toBe(printed);
});

it('Persian has its own digits and separators', () => {
  expect(grouped('64210.50', 'fa')).toBe('۶۴٬۲۱۰٫۵۰');
  expect(showChange('-12.50', 'fa')).toBe('▼ −۱۲٫۵۰٪');
  expect(grouped('', 'fa')).toBe('–');
});
