/** The process or the database is too busy for a request; nothing was done for it. */
export class Busy extends Error {}

/** The response to a COMMIT was lost: the transaction may have been committed or rolled back. */
export class CommitUnknown extends Error {}

/** The database can only be read: it is in recovery, so that it may be an old copy. */
export class DatabaseReadOnly extends Error {}
