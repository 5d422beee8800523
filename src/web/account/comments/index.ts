import { ownCommentPages } from './own.ts'
import { reportCommentPages } from './report.ts'
import { writeCommentPages } from './write.ts'

/** The pages on which people write, change, delete and report comments. */
export const commentPages = [...ownCommentPages, ...writeCommentPages, ...reportCommentPages]
