import { area } from '#src/contract/area.ts'
import { operations } from './uploads/operations.ts'

export { answerQuestions } from './implementations.ts'
export { bytesOfFile, fileView, fileViews, useFile } from './files/actions.ts'
export { createFileEndpoint } from './files/operations.ts'
export { commitGenerated, discardGenerated, storeGenerated } from './generated/actions.ts'
export { type FileUse, filesPublic, usesOf } from './hooks.ts'
export { FileView, type Purpose } from './uploads/schema.ts'
export { createFileRemoval, createUpkeep } from './upkeep/actions.ts'
export { countMissing, storeQuota } from './upkeep/queries.ts'

/** Files on their way into the school. */
export const storage = area({
  name: 'storage',
  summary: 'Files on their way into the school',
  segments: ['uploads'],
  scopes: {
    'storage:write': {
      offeredTo: 'member',
      sentence: { en: 'Upload files for you', pt: 'Carregar ficheiros em seu nome' },
    },
  },
  operations,
})
