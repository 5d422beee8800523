// C0, C1 and DEL; line and paragraph separators; bidirectional controls (UAX #9) and zero-width marks.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

/** Whether PostgreSQL can keep this text: no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

// Letters with a stroke and joined ones, which no normalisation takes apart.
const PLAIN: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/** Text without marks and case, for finding *Zoë* by `zoe` and *Sørensen* by `sorensen`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Up and down again: ß becomes ss, and the two sigmas one.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðħıæœþ]/g, letter => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')

/** The form in which two e-mail addresses are compared. */
export const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase()

/** One line of visible text: NFC, no control or bidirectional characters, at most `length` characters. */
export const cleanLine = (text: string, length: number): string => {
  const seen = text.toWellFormed().normalize('NFC').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()
  return Array.from(seen).slice(0, length).join('')
}

/** Whether this is an e-mail address we can write to: one @, no spaces or controls, a dotted or literal domain. */
export const isEmail = (text: string): boolean => {
  if (text.length > 254 || /[\s\u0000-\u001f\u007f-\u009f<>(),;:\\"[\]]/.test(text)) return false
  const parts = text.split('@')
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || local.length < 1 || local.length > 64) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const labels = domain.split('.')
  return labels.length > 1 && labels.every(label => label !== '' && !label.startsWith('-') && !label.endsWith('-'))
}

/** Cuts text for a log line: no control characters, at most `length` characters. */
export const forLog = (text: string, length = 200): string => cleanLine(text, length)

/** A slug made of a name, such as `soren-s-rye` of *Søren’s Rye*; empty when the name has no Latin letters or digits. */
export const slugOf = (name: string): string =>
  fold(name)
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-')
    .slice(0, 60)
    .replace(/-$/, '')
