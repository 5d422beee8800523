import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'

export { type Body, bodyFor, renderBody, shownHtml } from './bodies/rules.ts'
export {
  countVersions,
  currentContent,
  findCurrentContent,
  findVersion,
  listVersions,
  type VersionLine,
} from './lookups.ts'
export { BLANK, type Content, changedParts, lessonTypes } from './rules.ts'
export { type ContentInput, ContentSettings, contentShown } from './schema.ts'
export { contentView } from './views.ts'
export { addVersion, copyContents, plannedContent, useCourseFile } from './writes.ts'

/** The content of lessons: text, embeds, captions and files, in versions. */
export const contents = area({ name: 'contents', operations: [], hooks: implementations })
