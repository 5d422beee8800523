import { area } from '#src/contract/area.ts'
import { appActOperations } from './apps/activity.operations.ts'
import { appOperations } from './apps/operations.ts'
import { confirmationOperations } from './confirmations.operations.ts'
import { createDeleting } from './deletion/jobs.ts'
import { deletionOperations } from './deletion/operations.ts'
import { DELETION_JOB } from './deletion/queries.ts'
import { onDeletionRequested } from './deletion/subscribers.ts'
import { createExporting } from './exports/jobs.ts'
import { exportOperations } from './exports/operations.ts'
import { EXPORT_JOB } from './exports/queries.ts'
import { onExportReady } from './exports/subscribers.ts'
import { implementations } from './implementations.ts'
import { accountMails } from './mails.ts'
import { profileOperations } from './profile/operations.ts'
import { sessionOperations } from './sessions/operations.ts'

export { AppActPage } from './apps/activity.operations.ts'
export { ConnectedAppPage } from './apps/schema.ts'
export { AccountDeletion } from './deletion/schema.ts'
export { ExportPage } from './exports/schema.ts'
export { Account } from './profile/schema.ts'
export { SessionPage } from './sessions/schema.ts'

/** The person behind the token: profile, sessions, connected apps, data export and deletion. */
export const account = area({
  name: 'account',
  operations: [
    ...profileOperations,
    ...exportOperations,
    ...deletionOperations,
    ...appOperations,
    ...appActOperations,
    ...sessionOperations,
    ...confirmationOperations,
  ],
  hooks: implementations,
  subscribers: { 'account.export_ready': onExportReady, 'account.deletion_requested': onDeletionRequested },
  jobs: {
    [EXPORT_JOB]: ({ database, store }) => createExporting(database, store),
    [DELETION_JOB]: ({ database }) => createDeleting(database),
  },
  mails: Object.values(accountMails),
})
