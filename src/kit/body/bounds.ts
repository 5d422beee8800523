import type { IOptions } from 'sanitize-html'

/** How many characters of Markdown markup a text may have; a line end counts as three. */
export const MAX_MARKUP_TOKENS = 30_000

/** How many elements of HTML may be open at once. */
export const MAX_DEPTH = 500

// Each of these makes markdown-it open an element or search for its end; every block rule examines each line.
const MARK = /[[\]*_~`|<>&!\n]/g

/** Whether a Markdown text has so much markup that parsing it could take much longer than others of its length. */
export const isTooDense = (text: string): boolean => {
  let marks = 0
  for (const [mark] of text.matchAll(MARK)) {
    marks += mark === '\n' ? 3 : 1
    if (marks > MAX_MARKUP_TOKENS) return true
  }
  return false
}

/** Too many elements are open at once; each end tag would be searched for among all of them. */
export class TooDeep extends Error {}

/** Handlers that stop the HTML parser at the first element within too many others. */
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
