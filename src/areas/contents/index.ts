import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'

export { addVersion, bodyFor, contentOf, contentView, currentContent, plannedContent } from './actions.ts'
export { type Body, renderBody, shownHtml } from './bodies.rules.ts'
export { useCourseFile } from './files.ts'
export { copyContents, countVersions, findVersion, listVersions, type VersionLine } from './queries.ts'
export { BLANK, changedParts, lessonTypes } from './rules.ts'
export { type ContentInput, ContentSettings, contentShown } from './schema.ts'

/** What lessons contain: text, embeds, captions and files, in versions. */
export const contents = area({ name: 'contents', operations: [], hooks: implementations })
