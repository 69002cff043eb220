// A custom profile field of the organization.

export const FIELD_TYPE = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const;
export type FieldType = (typeof FIELD_TYPE)[keyof typeof FIELD_TYPE];

/** The name of a field that is created without one. */
export const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  1: 'Short text',
  2: 'Long text',
  3: 'List of options',
  4: 'Date picker',
  5: 'Link',
  6: 'Person picker',
  7: 'External account',
  8: 'Pronouns',
};

/** The types as clients get them at registration. */
export const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  PARAGRAPH: { id: 2, name: 'Text (long)' },
  DROPDOWN: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

export type Choices = Readonly<Record<string, { readonly text: string; readonly order: string }>>;

export type FieldData =
  | Choices
  | { readonly subtype: string }
  | { readonly subtype: 'custom'; readonly url_pattern: string };

export interface Field {
  readonly id: number;
  readonly type: FieldType;
  readonly name: string;
  readonly hint: string;
  readonly fieldData: FieldData | null;
  readonly order: number;
  readonly displayInProfileSummary: boolean;
  readonly isRequired: boolean;
  readonly editableByUser: boolean;
  readonly useForUserMatching: boolean;
}
