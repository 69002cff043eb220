// Where the rows of the journal are, for those who show it.
export { listArchives, listJournalParts } from './archives-store.ts';
