/** The database is too busy for a request; nothing was sent to it. */
export class DatabaseBusy extends Error {}

/** The response to a COMMIT was lost: the transaction may have been committed or rolled back. */
export class CommitUnknown extends Error {}
