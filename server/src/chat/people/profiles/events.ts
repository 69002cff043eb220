import { Type, type Static } from 'typebox';
import type { Field } from './field.ts';

export const FieldObject = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.Integer({ minimum: 1, maximum: 8 }),
    hint: Type.String(),
    field_data: Type.String({ description: 'JSON, or empty.' }),
    order: Type.Integer(),
    required: Type.Boolean(),
    editable_by_user: Type.Boolean(),
    display_in_profile_summary: Type.Optional(Type.Literal(true)),
    use_for_user_matching: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);
export type FieldObject = Static<typeof FieldObject>;

export const fieldObject = (field: Field): FieldObject => ({
  id: field.id,
  name: field.name,
  type: field.type,
  hint: field.hint,
  field_data: field.fieldData === null ? '' : JSON.stringify(field.fieldData),
  order: field.order,
  required: field.isRequired,
  editable_by_user: field.editableByUser,
  ...(field.displayInProfileSummary && { display_in_profile_summary: true }),
  ...(field.useForUserMatching && { use_for_user_matching: true }),
});

export const FieldsChanged = Type.Object(
  { type: Type.Literal('custom_profile_fields'), fields: Type.Array(FieldObject) },
  { additionalProperties: false },
);

export const fieldsChanged = (fields: readonly Field[]): Static<typeof FieldsChanged> => ({
  type: 'custom_profile_fields',
  fields: fields.map(fieldObject),
});
