// A line of its own; the comment is that of WordPress.
const FOLD = /^[ \t]*<!--[ \t]*more[ \t]*-->[ \t]*\r?$/m

/** A text that its fold divides: what is before the first fold, if there is one, and the whole without the line that marks it. */
type Folded = { readonly before: string | undefined; readonly whole: string }

/** Divides a text in Markdown or HTML at the first line `<!--more-->`. */
export const splitFold = (text: string): Folded => {
  const found = FOLD.exec(text)
  if (found === null) return { before: undefined, whole: text }
  const before = text.slice(0, found.index)
  return { before, whole: `${before}\n${text.slice(found.index + found[0].length)}` }
}
