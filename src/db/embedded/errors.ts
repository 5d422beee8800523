/** Thrown when a living process already serves this data folder; its message is the one line a person needs. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'
}

/** Thrown when the embedded PostgreSQL cannot be opened: one clear line, then the last lines of its own log. */
export class EmbeddedFailed extends Error {
  override name = 'EmbeddedFailed'
}
