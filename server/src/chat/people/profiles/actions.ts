// Custom profile fields, which administrators create, and the values that people give them.
import { noteChange, noteList } from '../../../accounts/audit/actions.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import { accessUserForUpdate, listUsersById } from '../../../accounts/users/access.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import { userUpdated } from '../../../accounts/users/events.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { badRequest } from '../../http/errors.ts';
import { present } from './access.ts';
import { findExternalAccount } from '../../organization/org/external-accounts.ts';
import { fieldsChanged } from './events.ts';
import { FIELD_TYPE, TYPE_NAMES, type Field, type FieldData, type FieldType } from './field.ts';
import type { ProfileDatum } from './params.ts';
import { checkSummaryCount, checkUses, isBuiltIn, parseFieldData, parseValue } from './rules.ts';
import {
  deleteField,
  deleteValue,
  insertField,
  listFields,
  listValues,
  lockFields,
  updateField,
  updateOrder,
  upsertValue,
  type FieldValues,
} from './store.ts';

const EVERYONE = { everyone: true } as const;

/** A generous limit: nobody fills in more fields. */
const FIELDS_MAX = 100;

export interface NewField {
  readonly type: number;
  readonly name?: string | undefined;
  readonly hint?: string | undefined;
  readonly fieldData: Readonly<Record<string, unknown>>;
  readonly displayInProfileSummary: boolean;
  readonly isRequired: boolean;
  readonly editableByUser: boolean;
  readonly useForUserMatching: boolean;
}

/** Creates a field that everybody can fill in. */
export function createField(ctx: Context, given: NewField): Promise<number> {
  const type = parseType(given.type);
  checkUses(type, {
    inSummary: given.displayInProfileSummary,
    forMatching: given.useForUserMatching,
  });
  if (given.name?.trim() === '') throw badRequest('Label cannot be blank.');
  const fieldData = parseFieldData(type, given.fieldData);
  return ctx.inTransaction(async (tx) => {
    await lockFields(tx);
    const fields = await listFields(tx);
    if (fields.length >= FIELDS_MAX) {
      throw badRequest(`There cannot be more than ${FIELDS_MAX} custom profile fields.`);
    }
    if (given.displayInProfileSummary) checkSummaryCount(countSummary(fields));
    const id = await insertField(tx, {
      type,
      fieldData,
      ...labels(type, fieldData, given, fields),
      displayInProfileSummary: given.displayInProfileSummary,
      isRequired: given.isRequired,
      editableByUser: given.editableByUser,
      useForUserMatching: given.useForUserMatching,
    });
    await announceFields(tx, 'profile_field create', fields);
    return id;
  });
}

function parseType(type: number): FieldType {
  if (!Object.hasOwn(TYPE_NAMES, type)) throw badRequest('Invalid field type.');
  return type as FieldType;
}

const countSummary = (fields: readonly Field[]): number =>
  fields.filter(({ displayInProfileSummary }) => displayInProfileSummary).length;

/** Name and hint of a field: as given, or those of its type or of its kind of account. */
function labels(
  type: FieldType,
  data: FieldData | null,
  { name, hint }: Pick<NewField, 'name' | 'hint'>,
  fields: readonly Field[],
): Pick<FieldValues, 'name' | 'hint'> {
  const account =
    data !== null && 'subtype' in data ? findExternalAccount(data.subtype) : undefined;
  if (account !== undefined) {
    checkNameFree(fields, account.name);
    return { name: account.name, hint: account.hint };
  }
  if (name === undefined) return { name: freeName(fields, TYPE_NAMES[type]), hint: hint ?? '' };
  checkNameFree(fields, name.trim());
  return { name: name.trim(), hint: hint ?? '' };
}

function checkNameFree(fields: readonly Field[], name: string): void {
  if (fields.some((field) => field.name === name)) {
    throw badRequest('A field with that label already exists.');
  }
}

function freeName(fields: readonly Field[], name: string): string {
  const taken = new Set(fields.map((field) => field.name));
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`;
  return free;
}

export interface FieldChanges {
  readonly name?: string | undefined;
  readonly hint?: string | undefined;
  readonly fieldData?: Readonly<Record<string, unknown>> | undefined;
  readonly displayInProfileSummary?: boolean | undefined;
  readonly isRequired?: boolean | undefined;
  readonly editableByUser?: boolean | undefined;
  readonly useForUserMatching?: boolean | undefined;
}

export function changeField(ctx: Context, id: number, changes: FieldChanges): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFields(tx);
    const fields = await listFields(tx);
    const field = findField(fields, id);
    const others = fields.filter((other) => other.id !== id);
    const name = changes.name?.trim();
    if (name === '') throw badRequest('Label cannot be blank.');
    if (isBuiltIn(field.fieldData)) checkBuiltInStays(field, changes);
    else if (name !== undefined) checkNameFree(others, name);
    const inSummary = changes.displayInProfileSummary ?? field.displayInProfileSummary;
    const forMatching = changes.useForUserMatching ?? field.useForUserMatching;
    checkUses(field.type, { inSummary, forMatching });
    if (inSummary && !field.displayInProfileSummary) checkSummaryCount(countSummary(others));
    const fieldData =
      changes.fieldData === undefined
        ? field.fieldData
        : parseFieldData(field.type, changes.fieldData);
    await updateField(tx, id, {
      name: name ?? field.name,
      hint: changes.hint ?? field.hint,
      fieldData,
      displayInProfileSummary: inSummary,
      useForUserMatching: forMatching,
      isRequired: changes.isRequired ?? field.isRequired,
      editableByUser: changes.editableByUser ?? field.editableByUser,
    });
    if (fieldData !== field.fieldData) await dropLostChoices(tx, { ...field, fieldData });
    await announceFields(tx, 'profile_field change', fields);
  });
}

/** Name, hint and kind of a known account cannot change. */
function checkBuiltInStays({ name, hint, fieldData }: Field, changes: FieldChanges): void {
  const stays =
    (changes.name === undefined || changes.name.trim() === name) &&
    (changes.hint === undefined || changes.hint === hint) &&
    (changes.fieldData === undefined ||
      JSON.stringify(changes.fieldData) === JSON.stringify(fieldData));
  if (!stays) throw badRequest('Default custom field cannot be updated.');
}

/** Clears the value of people whose choice no longer exists. */
async function dropLostChoices(tx: Tx, field: Field): Promise<void> {
  if (field.type !== FIELD_TYPE.choice) return;
  for (const { userId, fieldId, value } of await listValues(tx)) {
    if (fieldId !== field.id || Object.hasOwn(field.fieldData ?? {}, value)) continue;
    await store(tx, userId, field, '');
  }
}

export function removeField(ctx: Context, id: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFields(tx);
    const fields = await listFields(tx);
    const field = findField(fields, id);
    for (const { userId, fieldId } of await listValues(tx)) {
      if (fieldId === field.id) await store(tx, userId, field, '');
    }
    await deleteField(tx, field.id);
    await announceFields(tx, 'profile_field remove', fields);
  });
}

/** Orders the fields as `ids` lists them. It must name each once. */
export function reorderFields(ctx: Context, ids: readonly number[]): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFields(tx);
    const fields = await listFields(tx);
    const known = new Set(fields.map(({ id }) => id));
    const isWhole = ids.length === known.size && new Set(ids).size === ids.length;
    if (!isWhole || ids.some((id) => !known.has(id))) throw badRequest('Invalid order mapping.');
    await updateOrder(tx, ids);
    await announceFields(tx, 'profile_field order', fields);
  });
}

/** Sends the fields to everybody, and writes the difference into the audit log. */
async function announceFields(
  tx: Tx,
  act: `profile_field ${'create' | 'change' | 'remove' | 'order'}`,
  before: readonly Field[],
): Promise<void> {
  const after = await listFields(tx);
  noteList(tx, act, before, after);
  tx.emit(fieldsChanged(after), EVERYONE);
}

function findField(fields: readonly Field[], id: number): Field {
  const field = fields.find((one) => one.id === id);
  if (field === undefined) throw badRequest(`Field id ${id} not found.`);
  return field;
}

/** Sets a person's own values, all or nothing. */
export function changeOwnProfile(
  ctx: Context,
  actor: User,
  data: readonly ProfileDatum[],
): Promise<void> {
  return ctx.inTransaction((tx) => write(tx, actor, actor.id, data));
}

/** The same for somebody else, by an administrator. Bots have no profile. */
export async function changeProfileOf(
  tx: Tx,
  actor: User,
  userId: number,
  data: readonly ProfileDatum[],
): Promise<void> {
  if (!hasAtLeast(actor.role, 'administrator')) throw insufficientPermission();
  const user = await accessUserForUpdate(tx, userId);
  if (user.botType !== null) throw badRequest('Bots have no custom profile fields.');
  const before = await readProfile(tx, userId);
  await write(tx, actor, userId, data);
  noteChange(tx, {
    act: 'user set_profile',
    subject: user.email,
    before,
    after: await readProfile(tx, userId),
    details: { userId },
  });
}

/** By field id. */
async function readProfile(tx: Tx, userId: number): Promise<Record<string, string>> {
  const values = await listValues(tx, [userId]);
  return Object.fromEntries(values.map(({ fieldId, value }) => [`field ${fieldId}`, value]));
}

export function clearOwnProfile(
  ctx: Context,
  actor: User,
  fieldIds: readonly number[],
): Promise<void> {
  return ctx.inTransaction((tx) =>
    write(
      tx,
      actor,
      actor.id,
      fieldIds.map((id) => ({ id, value: '' })),
    ),
  );
}

/** Clears all values of a person, including those that others set. */
export async function clearProfileOf(tx: Tx, userId: number): Promise<void> {
  await lockFields(tx);
  for (const field of await listFields(tx)) await store(tx, userId, field, '');
}

async function write(
  tx: Tx,
  actor: User,
  userId: number,
  data: readonly ProfileDatum[],
): Promise<void> {
  await lockFields(tx);
  const fields = await listFields(tx);
  for (const { id, value } of data) {
    const field = findField(fields, id);
    if (!field.editableByUser && !hasAtLeast(actor.role, 'administrator')) {
      throw badRequest(
        'You are not allowed to change this field. Contact an administrator to update it.',
      );
    }
    const { text, people } = parseValue(field, value);
    await checkPeople(tx, people);
    await store(tx, userId, field, text);
  }
}

async function checkPeople(tx: Tx, ids: readonly number[]): Promise<void> {
  const users = new Map((await listUsersById(tx, ids)).map((user) => [user.id, user]));
  const unknown = ids.filter((id) => !users.has(id));
  if (unknown.length > 0) throw badRequest(`Invalid user IDs: ${unknown.join(', ')}`);
  for (const { id, isActive, botType } of users.values()) {
    if (!isActive) throw badRequest(`User with ID ${id} is deactivated`);
    if (botType !== null) throw badRequest(`User with ID ${id} is a bot`);
  }
}

/** Stores the value; an empty text clears it. Tells everybody if it changed. */
async function store(tx: Tx, userId: number, { id, type }: Field, text: string): Promise<void> {
  const stored = await listValues(tx, [userId]);
  const before = stored.find(({ fieldId }) => fieldId === id)?.value ?? '';
  if (before === text) return;
  if (text === '') await deleteValue(tx, userId, id);
  else await upsertValue(tx, { userId, fieldId: id, value: text });
  const value = text === '' ? { value: null } : present(type, text);
  tx.emit(userUpdated(userId, { custom_profile_field: { id, ...value } }), EVERYONE);
}
