const MARKS = /[\\`*_[\]<>~|&]/g
const FIRST = /^(?:[#+=-]|\d{1,9}(?=[.)]))/

// Only the mark after the digits of a list item makes it one.
const escapeFirst = (first: string): string => (/^\d/.test(first) ? `${first}\\` : `\\${first}`)

/** A passage of plain text as a quotation in Markdown, in which every character is read as itself. */
const quote = (passage: string): string =>
  passage
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph =>
      paragraph
        .split('\n')
        .map(line => `> ${line.trim().replace(MARKS, '\\$&').replace(FIRST, escapeFirst)}`)
        .join('\\\n'),
    )
    .join('\n>\n')

/** A text in Markdown with a passage as a quotation at its end, and an empty line to go on below it. */
export const appendQuotation = (text: string, passage: string): string => {
  const before = text.trimEnd()
  if (passage.trim() === '') return text
  return `${before === '' ? '' : `${before}\n\n`}${quote(passage)}\n\n`
}
