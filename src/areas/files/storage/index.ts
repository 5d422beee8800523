import { area } from '#src/contract/area.ts'
import { createFileEndpoint } from './files/operations.ts'
import { implementations } from './implementations.ts'
import { libraryOperations } from './library/operations.ts'
import { createFileRemoval, createUpkeep } from './upkeep/jobs.ts'
import { createPictureCheck } from './upkeep/pictures.jobs.ts'
import { operations } from './uploads/operations.ts'

export { dropUnusedFormFile, receiveFormFile, takeFormFileInto } from './completion/form-files.writes.ts'
export { addFile } from './completion/writes.ts'
export { contentReply, objectReply, sendsBytes } from './files/content.views.ts'
export { bytesOfFile, filesById, isStored, wholeFile } from './files/lookups.ts'

export { variantContent } from './files/variants.writes.ts'
export { fileView, fileViews } from './files/views.ts'
export { errorsOfPicture, type FileReference, useFile } from './files/writes.ts'

export { commitGenerated, discardGenerated, storeGenerated } from './generated/writes.ts'

export { type FileUse, filesPublic, usesOf } from './hooks.ts'
export { fileKinds, LibraryFile, LibraryPage, libraryPurposes, MAX_ALT } from './library/schema.ts'
export { countMissing, storeQuota } from './upkeep/queries.ts'

export { releaseQuota as releaseFiles, reserveQuota, returnQuota } from './uploads/queries.ts'
export { maxBytesFor, quotaExceeded } from './uploads/rules.ts'
export { DeclaredType, FileView, Upload } from './uploads/schema.ts'

/** Files: uploads, the links to them, and what is no longer used. */
export const storage = area({
  name: 'storage',
  operations: [...operations, ...libraryOperations],
  endpoints: ({ files, keyFor }) => [createFileEndpoint(files, keyFor)],
  hooks: implementations,
  jobs: {
    file_removal: ({ database, store }) => createFileRemoval(database, store),
    // It may run for hours in a school with many pictures.
    image_metadata: {
      create: ({ database, store, media }) => createPictureCheck(database, { store, media }),
      atOnce: 1,
    },
    storage: ({ database, store }) => createUpkeep(database, store),
  },
})
