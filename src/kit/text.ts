// C0, DEL and C1, with every line end that Unicode knows.
const CONTROLS = /[\p{Cc}\u2028\u2029]/u
// The same without the characters that lay out a text of several lines.
const CONTROLS_OF_TEXT = /[^\P{Cc}\t\n\r]/u
// UAX #9: a line with one of these may be displayed in another order.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
// Spaces, invisible characters, and U+2800, U+FFF9 to U+FFFB, U+16FE4 and U+1D159, which have no such property.
const INVISIBLE = /[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{16fe4}\u{1d159}]/u

// Joiners affect the preceding character in scripts with joined letters, and in emoji; elsewhere they are invisible.
const UNJOINED = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Han}\\p{Script=Hangul}]'
const JOINER = `(?<=[\\p{L}\\p{M}\\p{Emoji_Modifier}\\p{Extended_Pictographic}\\p{Variation_Selector}])(?<!${UNJOINED})[\\u200c\\u200d]`
const VARIANT = '(?<=[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}])\\p{Variation_Selector}'
// UTS #51, ED-14a: the flags of England, Scotland and Wales are spelled with tags.
const TAGGED = '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]{1,30}\\u{e007f}'
const MEANINGFUL = `${JOINER}|${VARIANT}|${TAGGED}`
const UNSEEN = new RegExp(
  `(${MEANINGFUL})|[\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u{16fe4}\\u{1d159}]`,
  'gu',
)

const everywhere = (set: RegExp): RegExp => new RegExp(set.source, 'gu')
const [ALL_CONTROLS, ALL_BIDI, ALL_INVISIBLE] = [CONTROLS, BIDI, INVISIBLE].map(everywhere) as [RegExp, RegExp, RegExp]

/** Whether a text has visible characters. */
export const isVisible = (text: string): boolean => text.replace(ALL_INVISIBLE, '') !== ''

/**
 * Whether a text can be one line, such as a name: no control characters, line ends or bidirectional controls, and
 * a visible character unless it is empty.
 */
export const isLine = (text: string): boolean =>
  !CONTROLS.test(text) && !BIDI.test(text) && (text === '' || isVisible(text))

/** Whether a text of several lines has no control characters but tabs and line ends. */
export const isText = (text: string): boolean => !CONTROLS_OF_TEXT.test(text)

/** Whether PostgreSQL can store this text: no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

// Letters with a stroke and ligatures, which normalisation does not decompose.
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

/** Text without accents and case, for finding *Zoë* by `zoe` and *Sørensen* by `sorensen`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // To upper case and back: ß becomes ss, and both sigmas become one.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðħıæœþ]/g, letter => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')

/** The form in which two e-mail addresses are compared. */
export const foldEmail = (email: string): string => email.normalize('NFC').toLowerCase()

/**
 * One line of visible text: NFC, no control or bidirectional characters, nothing invisible but joiners and variation
 * selectors that affect the preceding character, at most `length` characters; empty when nothing is visible.
 */
export const cleanLine = (text: string, length: number): string => {
  const plain = text.toWellFormed().normalize('NFC').replace(ALL_CONTROLS, ' ').replace(ALL_BIDI, ' ')
  const seen = plain.replace(UNSEEN, '$1').replace(/\s+/g, ' ').trim()
  return Array.from(seen).slice(0, length).join('').trim()
}

const MAX_TAGS = 20

const MAX_TAG_LENGTH = 50

/** Normalises tags: on one line, in lower case, without duplicates, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, MAX_TAG_LENGTH).toLowerCase()))]
    .filter(tag => tag !== '')
    .sort()
    .slice(0, MAX_TAGS)

/** Whether this is a usable e-mail address: one @, no spaces or control characters, a dotted or literal domain. */
export const isEmail = (text: string): boolean => {
  if (text.length > 254 || /[<>(),;:\\"[\]]/.test(text) || INVISIBLE.test(text) || BIDI.test(text)) return false
  const parts = text.split('@')
  const [local = '', domain = ''] = parts
  if (parts.length !== 2 || local.length < 1 || local.length > 64) return false
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return false
  const labels = domain.split('.')
  return labels.length > 1 && labels.every(label => label !== '' && !label.startsWith('-') && !label.endsWith('-'))
}

/** Truncates text for a log line: no control characters, at most `length` characters. */
export const forLog = (text: string, length = 200): string => cleanLine(text, length)

/** The slug of a name, such as `soren-s-rye` of *Søren’s Rye*; empty when the name has no Latin letters or digits. */
export const slugOf = (name: string): string =>
  fold(name)
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-')
    .slice(0, 60)
    .replace(/-$/, '')

/** The slug of a name, or of its id where the name has no character that a slug can have. */
export const slugFor = (name: string, id: string): string => {
  const slug = slugOf(name)
  return slug === '' ? id.replaceAll('-', '').slice(-12) : slug
}
