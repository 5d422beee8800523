import { cleanText } from './text.ts'

// The characters with which a formula begins in a spreadsheet, also in their full-width forms.
const SIGNS = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
const FORMULA = new RegExp(`^[\\s'"]*[${SIGNS}]|^[\\t\\r\\n]`)
// A number is no formula, although it may begin with a minus.
const NUMBER = /^-?\d+(?:\.\d+)?$/
// A spreadsheet with another locale separates cells by another character, and reads one of our cells as several. A run is
// matched completely, so that no character is examined twice.
const RUN = new RegExp(`([\\s,;|"]+)([${SIGNS}]?)`, 'g')
const ESCAPED_RUN = new RegExp(`([\\s,;|"]+)'(?=[${SIGNS}])`, 'g')
const SEPARATOR = /[,;|"\t\r\n]/

/** Whether a text is a number with a point, as programs write it. */
export const isPlainNumber = (text: string): boolean => NUMBER.test(text)

/** A cell of CSV that no spreadsheet evaluates. OWASP, CSV injection: an apostrophe before a formula makes it a text. */
export const escapeFormulas = (written: string): string => {
  if (isPlainNumber(written)) return written
  // Cleaned before, since a space may precede a formula.
  const text = cleanText(written)
  const first = FORMULA.test(text) ? `'${text}` : text
  return first.replace(RUN, (whole, run: string, sign: string) =>
    sign !== '' && SEPARATOR.test(run) ? `${run}'${sign}` : whole,
  )
}

/** A cell without the apostrophes that `escapeFormulas` put into it. */
export const unescapeFormulas = (cell: string): string => {
  if (!cell.includes("'")) return cell
  const text = cell.replace(ESCAPED_RUN, (whole, run: string) => (SEPARATOR.test(run) ? run : whole))
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}
