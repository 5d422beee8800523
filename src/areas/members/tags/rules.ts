import { cleanLine } from '#src/kit/text.ts'

/** The longest tag, in characters. */
export const MAX_TAG_LENGTH = 50

/** Tags as they are kept: one line, in lower case, each once, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, MAX_TAG_LENGTH).toLowerCase()))].filter(tag => tag !== '').sort()
