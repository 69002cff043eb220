// What a custom profile field may be, and which values it may have.
import { badRequest } from '../../http/errors.ts';
import { findExternalAccount } from '../../organization/org/external-accounts.ts';
import { FIELD_TYPE, type Choices, type Field, type FieldData, type FieldType } from './field.ts';

export const NAME_MAX = 40;
export const HINT_MAX = 80;
const SUMMARY_MAX = 2;
const CHOICES_MAX = 200;
const SHORT_MAX = 50;
const LONG_MAX = 500;
const LINK_MAX = 2000;
const PEOPLE_MAX = 100;

type Given = Readonly<Record<string, unknown>>;

/** The data of a field of this type. Refuses it and says what is missing. */
export function parseFieldData(type: FieldType, given: Given): FieldData | null {
  if (type === FIELD_TYPE.choice) return parseChoices(given);
  if (type === FIELD_TYPE.externalAccount) return parseAccount(given);
  return null;
}

function parseChoices(given: Given): Choices {
  const entries = Object.entries(given);
  if (entries.length === 0) throw badRequest('Field must have at least one choice.');
  if (entries.length > CHOICES_MAX) {
    throw badRequest(`field_data is too long (limit: ${CHOICES_MAX} items)`);
  }
  const choices = entries.map(([key, choice]) => {
    if (key.trim() === '') throw badRequest("'value' cannot be blank.");
    if (typeof choice !== 'object' || choice === null) {
      throw badRequest(`field_data["${key}"] is not a dict`);
    }
    const { text, order } = choice as Given;
    return [key, { text: parseText(text, 'text'), order: parseText(order, 'order') }] as const;
  });
  if (new Set(choices.map(([, { text }]) => text)).size < choices.length) {
    throw badRequest('Field must not have duplicate choices.');
  }
  return Object.fromEntries(choices);
}

function parseText(given: unknown, name: string): string {
  const text = typeof given === 'number' && name === 'order' ? String(given) : given;
  if (text === undefined) throw badRequest(`${name} key is missing from field_data`);
  if (typeof text !== 'string') throw badRequest(`field_data["${name}"] is not a string`);
  if (text.trim() === '') throw badRequest(`field_data["${name}"] cannot be blank.`);
  return text;
}

function parseAccount({ subtype, url_pattern }: Given): FieldData {
  if (subtype !== 'custom') {
    if (findExternalAccount(subtype) === undefined)
      throw badRequest('Invalid external account type');
    return { subtype: String(subtype) };
  }
  const pattern = typeof url_pattern === 'string' ? url_pattern : '';
  if (pattern.split('%(username)s').length !== 2) {
    throw badRequest("URL pattern must contain '%(username)s'.");
  }
  if (!isLink(pattern.replace('%(username)s', 'name')))
    throw badRequest('url_pattern is not a URL');
  return { subtype: 'custom', url_pattern: pattern };
}

/** Whether the kind of account decides name and hint. */
export const isBuiltIn = (data: FieldData | null): boolean =>
  data !== null && 'subtype' in data && data.subtype !== 'custom';

/** Refuses uses that the type of a field does not permit. */
export function checkUses(
  type: FieldType,
  uses: { readonly inSummary: boolean; readonly forMatching: boolean },
): void {
  if (uses.inSummary && (type === FIELD_TYPE.longText || type === FIELD_TYPE.people)) {
    throw badRequest('Field type not supported for display in profile summary.');
  }
  const matches = type === FIELD_TYPE.shortText || type === FIELD_TYPE.externalAccount;
  if (uses.forMatching && !matches) {
    throw badRequest('Field type not supported for use for user matching.');
  }
}

export function checkSummaryCount(others: number): void {
  if (others >= SUMMARY_MAX) {
    throw badRequest(
      `Only ${SUMMARY_MAX} custom profile fields can be displayed in the profile summary.`,
    );
  }
}

/** The text to store for a value, or ids of people that the caller must look up. */
export function parseValue(
  { type, name, fieldData }: Field,
  given: string | readonly number[],
): { readonly text: string; readonly people: readonly number[] } {
  if (type === FIELD_TYPE.people) return parsePeople(name, given);
  if (typeof given !== 'string') throw badRequest(`${name} is not a string`);
  const text = given.trim();
  checkText(type, name, text, fieldData);
  return { text, people: [] };
}

function checkText(type: FieldType, name: string, text: string, data: FieldData | null): void {
  const max =
    type === FIELD_TYPE.longText ? LONG_MAX : type === FIELD_TYPE.link ? LINK_MAX : SHORT_MAX;
  const isOpen = type !== FIELD_TYPE.choice && type !== FIELD_TYPE.date;
  if (isOpen && Array.from(text).length > max) {
    throw badRequest(`${name} is too long (limit: ${max} characters)`);
  }
  if (text === '') return;
  if (type === FIELD_TYPE.date && !isDate(text)) throw badRequest(`${name} is not a date`);
  if (type === FIELD_TYPE.link && !isLink(text)) throw badRequest(`${name} is not a URL`);
  if (type === FIELD_TYPE.choice && !Object.hasOwn(data ?? {}, text)) {
    throw badRequest(`'${text}' is not a valid choice for '${name}'.`);
  }
}

function parsePeople(name: string, given: string | readonly number[]) {
  const list: unknown = typeof given === 'string' ? parse(given) : given;
  if (!Array.isArray(list) || list.length > PEOPLE_MAX) throw badRequest(`${name} is not a list`);
  const people = list.map((id: unknown) => {
    if (typeof id !== 'number' || !Number.isInteger(id)) {
      throw badRequest(`${name} is not a list of user IDs`);
    }
    return id;
  });
  return { text: people.length === 0 ? '' : JSON.stringify(people), people };
}

function parse(text: string): unknown {
  if (text.trim() === '') return [];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A date that exists, such as 2026-01-31. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isLink(text: string): boolean {
  if (/[\s"<>]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}
