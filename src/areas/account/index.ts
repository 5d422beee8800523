import { area } from '#src/contract/area.ts'
import { createDeleting, onDeletionBegun } from './deletion/actions.ts'
import { DELETION_JOB } from './deletion/queries.ts'
import { createExporting, onExportReady } from './exports/actions.ts'
import { EXPORT_JOB } from './exports/queries.ts'
import { implementations } from './implementations.ts'
import { operations } from './operations.ts'

export { AccountDeletion } from './deletion/schema.ts'

/** The person behind the token: profile, sessions, connected apps, data export and deletion. */
export const account = area({
  name: 'account',
  operations,
  hooks: implementations,
  subscribers: { 'account.export_ready': onExportReady, 'account.deletion_requested': onDeletionBegun },
  jobs: {
    [EXPORT_JOB]: ({ database, store }) => createExporting(database, store),
    [DELETION_JOB]: ({ database }) => createDeleting(database),
  },
})
