import type { Area } from '#src/contract/area.ts'
import { appearance } from './appearance/index.ts'
import { storage } from './storage/index.ts'

export {
  AppearanceDraft,
  AppearancePreview,
  AppearanceVersionPage,
  addAppearance,
  colorNames,
  type FileField,
  fileFields,
  Href,
  hasAppearance,
  listTypes,
  type NewAppearance,
  type PreviewSheet,
  previewLook,
  previewPath,
  previewSheet,
  schemes,
  socialNames,
} from './appearance/index.ts'
export {
  addFile,
  bytesOfFile,
  commitGenerated,
  contentReply,
  countMissing,
  DeclaredType,
  discardGenerated,
  dropUnusedFormFile,
  errorsOfPicture,
  type FileReference,
  type FileUse,
  FileView,
  filesById,
  filesPublic,
  fileView,
  fileViews,
  isStored,
  objectReply,
  quotaExceeded,
  receiveFormFile,
  releaseFiles,
  reserveQuota,
  returnQuota,
  sendsBytes,
  storeGenerated,
  storeQuota,
  takeFormFileInto,
  Upload,
  useFile,
  usesOf,
  wholeFile,
} from './storage/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const filesAreas: readonly Area[] = [storage, appearance]
