import type { Database } from '#src/contract/db.ts'
import type { Subscribers } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { Store } from '#src/contract/store.ts'
import { createDeleting, onDeletionBegun } from './deletion/actions.ts'
import { DELETION_JOB } from './deletion/queries.ts'
import { createExporting, onExportReady } from './exports/actions.ts'
import { EXPORT_JOB } from './exports/queries.ts'

/** The work behind the account: copies of people's data, and accounts that are due to be deleted. */
export const createAccountWork = (database: Database, store: Store): Readonly<Record<string, JobHandler>> => ({
  [EXPORT_JOB]: createExporting(database, store),
  [DELETION_JOB]: createDeleting(database),
})

/** What follows from the account's facts. */
export const accountSubscribers: Subscribers = {
  'account.export_ready': [onExportReady],
  'account.deletion_requested': [onDeletionBegun],
}
