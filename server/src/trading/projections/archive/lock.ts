/** A run of the archive and a rebuild both change which days the tables have, and exclude each other by it. */
export const ARCHIVE_LOCK = "hashtext('rialto.archive')";
