import { area } from '#src/contract/area.ts'
import { findingOperations } from './findings/operations.ts'
import { implementations } from './implementations.ts'
import { importOperations } from './import/operations.ts'
import { importRunning } from './import/rules.ts'
import { invitationJobs } from './invitations/jobs.ts'
import { importJobs } from './jobs.ts'
import { importMails } from './mails.ts'
import { pieceOperations } from './performing/operations.ts'
import { subscribers } from './subscribers.ts'

export { ImportFindings } from './findings/schema.ts'
export { fieldsOfLecturers } from './import/rules.ts'
export { Import, ImportPage } from './import/schema.ts'
export { importFields } from './mapping/index.ts'
export { ImportRowPage } from './rows/schema.ts'

/** Files of people, and of what they learn, on their way into the school: read, checked, run and undone. */
export const imports = area({
  name: 'imports',
  operations: [
    ...importOperations('people'),
    ...importOperations('learning'),
    ...pieceOperations,
    ...findingOperations,
  ],
  hooks: implementations,
  subscribers,
  jobs: { ...importJobs, ...invitationJobs },
  mails: Object.values(importMails),
  constraints: { imports_running: importRunning },
})
