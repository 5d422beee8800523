import { domainToASCII, domainToUnicode } from 'node:url'

// C0, DEL and C1, with every line end that Unicode knows, and noncharacters, of which XML forbids two.
const CONTROLS = /[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029]/u
// The same without the characters that lay out a text of several lines.
const CONTROLS_OF_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\p{Noncharacter_Code_Point}]/u
// UAX #9: a line with one of these may be displayed in another order.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
// Spaces, controls, noncharacters, invisible characters, and U+2800, U+FFF9 to U+FFFB, U+16FE4 and U+1D159, which have no such property.
const INVISIBLE =
  /[\p{Z}\p{Cc}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{16fe4}\u{1d159}]/u

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
const ALL_CONTROLS_OF_TEXT = everywhere(CONTROLS_OF_TEXT)

/** Whether a text has visible characters. */
export const isVisible = (text: string): boolean => text.replace(ALL_INVISIBLE, '') !== ''

/**
 * Whether a text can be one line, such as a name: no control characters, noncharacters, line ends or bidirectional controls,
 * and a visible character unless it is empty.
 */
export const isLine = (text: string): boolean =>
  !CONTROLS.test(text) && !BIDI.test(text) && (text === '' || isVisible(text))

/** Whether a text of several lines has no noncharacters, and no control characters but tabs and line ends. */
export const isText = (text: string): boolean => !CONTROLS_OF_TEXT.test(text)

/**
 * A text for a document in any format, which may have been stored under older rules: a space for each character that XML 1.0
 * (§2.2), RFC 5545 (§3.1) or `isText` forbids, and U+FFFD for a lone surrogate.
 */
export const cleanText = (text: string): string => text.toWellFormed().replace(ALL_CONTROLS_OF_TEXT, ' ')

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

// Marks, and what nobody sees, such as a soft hyphen.
const UNFOLDED = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The form in which texts that people type are compared and searched: without accents, case and invisible characters,
 * with plain quotation marks and hyphens; *Zoë* is found by `zoe`, and *Sørensen* by `sorensen`.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(UNFOLDED, '')
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    // To upper case and back: ß becomes ss, and both sigmas become one.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðħıæœþ]/g, letter => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replace(UNFOLDED, '')

const withoutUnseen = (text: string): string => text.replace(UNSEEN, '$1')

/**
 * One line as somebody typed it, without invisible characters and without spaces at its ends; what cannot be a line stays as
 * it is, to be refused.
 */
export const cleanTyped = (text: string): string => (isLine(text) ? withoutUnseen(text).trim() : text)

// A digit of any script.
const toDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** A telephone number as somebody typed or pasted it, in ASCII where it can be. */
export const cleanPhone = (text: string): string =>
  withoutUnseen(text.normalize('NFKC').replace(ALL_BIDI, ''))
    .replace(/\p{Nd}/gu, toDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()

const SEPARATORS = /[\p{White_Space}\p{Dash_Punctuation}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** A code without white space and hyphens, which divide it into groups, and without invisible characters. */
export const withoutSeparators = (code: string): string => code.replace(SEPARATORS, '')

/** A code as somebody typed or pasted it, without separators and in ASCII where it can be. */
export const plainCode = (typed: string): string =>
  withoutSeparators(typed.normalize('NFKC')).replace(/\p{Nd}/gu, toDigit)

// UTS #46 is for letters, marks and digits; of other characters some would end the domain or be decoded.
const INTERNATIONAL = /[^\u0000-\u007f]|(?:^|\.)xn--/i
const LABELS = /^[\p{L}\p{M}\p{N}._\-\u3002\uff0e\uff61]+$/u

const asciiDomain = (domain: string): string => {
  const isConverted = INTERNATIONAL.test(domain) && LABELS.test(domain)
  return (isConverted && domainToASCII(domain)) || domain.toLowerCase()
}

// Letters of two of these in one label, or a label of Cyrillic letters that look like Latin ones, may pass for another label.
const ALIKE = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  script => new RegExp(`\\p{Script=${script}}`, 'u'),
)
const LATIN_LOOK = /^[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04bb\u04cf\u0501\u051b\u051d\d-]+$/

const isUnmistakable = (label: string): boolean =>
  ALIKE.filter(script => script.test(label)).length < 2 && (/^[\d-]+$/.test(label) || !LATIN_LOOK.test(label))

// The form of a domain for people, where it leads back to the same domain and looks like no other one.
const shownDomain = (domain: string): string => {
  if (!INTERNATIONAL.test(domain)) return domain
  const ascii = asciiDomain(domain)
  const shown = domainToUnicode(ascii)
  const isSame = shown !== '' && asciiDomain(shown) === ascii
  return isSame && shown.split('.').every(isUnmistakable) ? shown : ascii
}

const withDomain = (email: string, change: (domain: string) => string): string => {
  const at = email.lastIndexOf('@')
  return at < 0 ? email : `${email.slice(0, at + 1)}${change(email.slice(at + 1))}`
}

/**
 * An e-mail address as somebody typed or pasted it: without spaces around it and invisible characters, its domain in the form
 * for people.
 */
export const cleanEmail = (text: string): string =>
  withDomain(withoutUnseen(text.normalize('NFC').replace(ALL_BIDI, '')).trim(), shownDomain)

/** An address as mail servers and apps know it, with its domain in ASCII (UTS #46). */
export const asciiEmail = (email: string): string => withDomain(email, asciiDomain)

/** The form in which two e-mail addresses are compared: in lower case, the domain in ASCII (UTS #46). */
export const foldEmail = (email: string): string => asciiEmail(cleanEmail(email).toLowerCase())

/**
 * One line of visible text: NFC, no control or bidirectional characters, nothing invisible but joiners and variation
 * selectors that affect the preceding character, at most `length` characters; empty when nothing is visible.
 */
export const cleanLine = (text: string, length: number): string => {
  const plain = text.toWellFormed().normalize('NFC').replace(ALL_CONTROLS, ' ').replace(ALL_BIDI, ' ')
  const seen = withoutUnseen(plain).replace(/\s+/g, ' ').trim()
  return Array.from(seen).slice(0, length).join('').trim()
}

/** The longest tag, in characters. */
export const MAX_TAG_LENGTH = 50

/** Normalises tags: on one line, in lower case, without duplicates, in their order. */
export const cleanTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(tag => cleanLine(tag, MAX_TAG_LENGTH).toLowerCase()))].filter(tag => tag !== '').sort()

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
export const toSlug = (name: string): string =>
  fold(name)
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
    .join('-')
    .slice(0, 60)
    .replace(/-$/, '')

/** The slug of a name, or of its id where the name has no character that a slug can have. */
export const slugFor = (name: string, id: string): string => {
  const slug = toSlug(name)
  return slug === '' ? id.replaceAll('-', '').slice(-12) : slug
}
