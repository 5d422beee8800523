import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import { unpack } from './woff.ts'

/** The font weight. */
export type Weight = 400 | 700

type Part = { readonly name: string; readonly ranges: readonly (readonly [from: number, to: number])[] }
type Package = { readonly name: string; readonly parts: readonly Part[] }

// In this order: small ones first, then one for Han and kana, and one for Hangul.
const FIRST = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-armenian',
  'noto-sans-devanagari',
  'noto-sans-georgian',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-kr',
]

// Han characters differ by language; for these, fonts that the operator has installed come first.
const PREFERRED: readonly (readonly [locale: RegExp, name: string])[] = [
  [/^ja(?:-|$)/i, 'noto-sans-jp'],
  [/^ko(?:-|$)/i, 'noto-sans-kr'],
  [/^zh-(?:hant|tw|hk|mo)(?:-|$)/i, 'noto-sans-tc'],
]

const folder = dirname(dirname(fileURLToPath(import.meta.resolve('@fontsource/noto-sans/package.json'))))

const parseRange = (text: string): readonly [number, number] => {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

// The parts of a package with the code points of each, as its CSS has them: `[12]` or `latin-ext`.
const readPackage = (name: string): Package => {
  const listed = JSON.parse(readFileSync(join(folder, name, 'unicode.json'), 'utf8')) as Record<string, string>
  const parts = Object.entries(listed).map(([part, ranges]) => ({
    name: part.replace(/[[\]]/g, ''),
    ranges: ranges.split(',').map(parseRange),
  }))
  return { name, parts }
}

const installed = (): readonly Package[] => {
  const there = readdirSync(folder).filter(name => /^noto-sans(?:-[a-z-]+)?$/.test(name))
  const others = there.filter(name => !FIRST.includes(name)).sort()
  return [...FIRST.filter(name => there.includes(name)), ...others].map(readPackage)
}

let read: readonly Package[] | undefined
const packages = (): readonly Package[] => {
  read ??= installed()
  return read
}

const has = ({ ranges }: Part, code: number): boolean => ranges.some(([from, to]) => from <= code && code <= to)

// Only `.woff`: a `.woff2` font cannot be reduced to the glyphs that are used.
const locateFile = ({ name }: Package, part: Part, weight: Weight): string =>
  join(folder, name, 'files', `${name}-${part.name}-${weight}-normal.woff`)

type Opened = { readonly font: Font; readonly bytes: Buffer }

const opened = new Map<string, Opened>()
const MOST_OPEN = 400

const open = (path: string): Opened => {
  const cached = opened.get(path)
  if (cached !== undefined) return cached
  if (opened.size >= MOST_OPEN) opened.clear()
  const bytes = unpack(readFileSync(path))
  const font = { font: create(bytes), bytes }
  opened.set(path, font)
  return font
}

/** The font of a file, unpacked. */
export const bytesOfFont = (path: string): Buffer => open(path).bytes

// A few parts are published without a map of characters; what has none has no glyph for any.
const hasGlyphs = (path: string, codes: readonly number[]): boolean => {
  try {
    return codes.every(code => open(path).font.hasGlyphForCodePoint(code))
  } catch {
    return false
  }
}

const inOrderFor = (locale: string): readonly Package[] => {
  const name = PREFERRED.find(([pattern]) => pattern.test(locale))?.[1]
  const all = packages()
  const preferred = all.filter(one => one.name === name)
  const [latin, ...rest] = all.filter(one => one.name !== name)
  return latin === undefined ? preferred : [latin, ...preferred, ...rest]
}

const look = (character: string, weight: Weight, locale: string): string | undefined => {
  const codes = Array.from(character, one => one.codePointAt(0) ?? 0)
  for (const one of inOrderFor(locale)) {
    for (const part of one.parts) {
      if (!has(part, codes[0] ?? 0)) continue
      const path = locateFile(one, part, weight)
      if (hasGlyphs(path, codes)) return path
    }
  }
  return undefined
}

const widths = new Map<string, number>()
const MOST_WIDTHS = 20_000

/** The width of a text in a font, at size 1. */
export const measureWidth = (text: string, path: string): number => {
  const key = `${path}\n${text}`
  const cached = widths.get(key)
  if (cached !== undefined) return cached
  if (widths.size >= MOST_WIDTHS) widths.clear()
  const { font } = open(path)
  const width = font.layout(text).advanceWidth / font.unitsPerEm
  widths.set(key, width)
  return width
}

const found = new Map<string, string | undefined>()
const MOST_FOUND = 20_000

/**
 * The file of the font that has glyphs for all of a character, marks included; the ranges say where to look, the font
 * itself whether the glyphs are there. Undefined when no font has them.
 */
export const findFont = (character: string, weight: Weight, locale: string): string | undefined => {
  const key = `${weight} ${locale} ${character}`
  if (found.has(key)) return found.get(key)
  if (found.size >= MOST_FOUND) found.clear()
  const path = look(character, weight, locale)
  found.set(key, path)
  return path
}
