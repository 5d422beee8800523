import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'

export { parseEmbed } from './embeds.rules.ts'
export { buildContent, currentContent, findCurrentContent } from './lookups.ts'
export { storedVersions } from './queries.ts'
export { BLANK, type Content, changedParts, lessonTypes, type Parts } from './rules.ts'
export { ContentSettings, contentFields } from './schema.ts'
export { contentView } from './views.ts'
export { addVersion, copyContents, plannedContent, useCourseFile } from './writes.ts'

/** The content of lessons: text, embeds, captions and files, in versions. */
export const contents = area({ name: 'contents', operations: [], hooks: implementations })
