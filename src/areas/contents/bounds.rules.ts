import type { IOptions } from 'sanitize-html'

/** How many marks of Markdown a text may have, where a line end counts as three. */
export const MAX_MARKUP_TOKENS = 30_000

/** How many elements of HTML may be open at once. */
export const MAX_DEPTH = 500

// Each of these makes markdown-it open something, or look for its other end; a line is looked at by every kind of block.
const MARK = /[[\]*_~`|<>&!\n]/g

/** Whether a text in Markdown is so dense that reading it could take much longer than others of its length. */
export const isTooDense = (text: string): boolean => {
  let marks = 0
  for (const [mark] of text.matchAll(MARK)) {
    marks += mark === '\n' ? 3 : 1
    if (marks > MAX_MARKUP_TOKENS) return true
  }
  return false
}

/** Elements are open in one another without end; each end tag would be looked for among all of them. */
export class TooDeep extends Error {}

/** What makes the parser of HTML stop at the first element that is open within too many others. */
export const depthGuard = (): Pick<IOptions, 'onOpenTag' | 'onCloseTag'> => {
  let depth = 0
  return {
    onOpenTag: () => {
      depth += 1
      if (depth > MAX_DEPTH) throw new TooDeep()
    },
    onCloseTag: () => {
      depth -= 1
    },
  }
}
