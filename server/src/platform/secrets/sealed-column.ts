// Where a feature keeps secrets sealed, for sealing them anew with another master key.
export interface SealedColumn {
  readonly table: string;
  /** The key of the table. */
  readonly id: string;
  readonly type: 'integer' | 'text';
  readonly column: string;
  /** What its owner is made from, as texts. */
  readonly from: string;
  ownerOf(from: string): string;
}
