/** Thrown when a living process already serves this data folder; its message is the one line a person needs. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'
}

/** Why the embedded PostgreSQL does not run: no room on its disk, no data where it lay, or anything else. */
export type EmbeddedFailure = 'disk_full' | 'data_missing' | 'other'

/** Thrown when the embedded PostgreSQL cannot be opened: one clear line, then the last lines of its own log. */
export class EmbeddedFailed extends Error {
  override name = 'EmbeddedFailed'
  readonly failure: EmbeddedFailure

  constructor(message: string, options: { failure?: EmbeddedFailure; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.failure = options.failure ?? 'other'
  }
}
