import { cleanLine } from '#src/kit/text.ts'

/** The longest tag, in characters. */
export const LONGEST_TAG = 50

/** Tags as they are kept: one line, in lower case, each once, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, LONGEST_TAG).toLowerCase()))].filter(tag => tag !== '').sort()
