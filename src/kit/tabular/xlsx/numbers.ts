import type { ArchiveFile } from '../../archive/contents.ts'
import { walkPart } from './parts.ts'

/** How numbers of a format are shown: as such, as a moment, as a time of day or a duration, or with leading zeros. */
export type NumberKind = 'number' | 'percent' | 'moment' | 'time' | 'duration' | { readonly digits: number }

// ISO/IEC 29500-1, 18.8.30, with those that programs in East Asia have at these places.
const builtIn = (id: number): NumberKind => {
  if (id === 9 || id === 10) return 'percent'
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return 'time'
  if (id === 46) return 'duration'
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'moment' : 'number'
}

// Texts in quotation marks, escaped characters, spaces of the width of a character, fillings.
const LITERALS = /"[^"]*"|\\.|_.|\*./gs
// Colours, conditions and currencies; durations are in brackets, too.
const BRACKETS = /\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/** How the numbers of a custom format are shown. */
const readNumberFormat = (code: string): NumberKind => {
  const [format = ''] = code.replace(LITERALS, '').replace(BRACKETS, '').split(';')
  if (/^(?:general|standard)$/i.test(format)) return 'number'
  if (/\[/.test(format)) return 'duration'
  if (/[yd]/i.test(format)) return 'moment'
  if (/[hs]/i.test(format)) return 'time'
  if (/m/i.test(format)) return 'moment'
  if (format.includes('%')) return 'percent'
  return /^00+$/.test(format) ? { digits: format.length } : 'number'
}

/** The kinds of numbers by the index of a style of cells. */
export const readNumberKinds = async (styles: ArchiveFile | undefined): Promise<readonly NumberKind[]> => {
  const custom = new Map<string, NumberKind>()
  const kinds: NumberKind[] = []
  // The same elements are in lists of named and of conditional styles.
  let list = ''
  if (styles === undefined) return kinds
  await walkPart(styles, {
    open: (name, { numFmtId: id = '0', formatCode: code = '' }) => {
      if (name === 'numFmts' || name === 'cellXfs') list = name
      if (name === 'numFmt' && list === 'numFmts') custom.set(id, readNumberFormat(code))
      if (name === 'xf' && list === 'cellXfs') kinds.push(custom.get(id) ?? builtIn(Number(id)))
    },
    close: name => {
      if (name === list) list = ''
    },
  })
  return kinds
}

// What programs show of a number, and what Excel stores of it.
const SIGNIFICANT = 15

const formatDecimal = (value: number): string => {
  const shown = Number(value.toPrecision(SIGNIFICANT))
  // Digits of longer numbers were replaced by zeros when they were typed; this form says so, as the program does.
  if (Math.abs(shown) >= 10 ** SIGNIFICANT) return shown.toExponential().toUpperCase()
  const text = String(shown)
  return text.includes('e') ? shown.toFixed(20).replace(/\.?0+$/, '') : text
}

const DAY_SECONDS = 86_400
const EPOCH_1900 = Date.UTC(1899, 11, 30)
// The day with which the other system begins, in days of the first.
const DAYS_TO_1904 = 1462
const LAST_DAY = 2_958_465

// The first system has a 29 February 1900, which was not.
const countDays = (serial: number, is1904: boolean): number => {
  if (is1904) return serial + DAYS_TO_1904
  return serial < 60 ? serial + 1 : serial
}

const formatMoment = (serial: number, is1904: boolean): string => {
  const days = countDays(serial, is1904)
  if (serial < 0 || days >= LAST_DAY + 1) return formatDecimal(serial)
  const written = new Date(EPOCH_1900 + Math.round(days * DAY_SECONDS) * 1000).toISOString()
  return written.slice(0, written.includes('T00:00:00') ? 10 : 19)
}

const pad = (value: number): string => String(value).padStart(2, '0')

const formatDuration = (days: number): string => {
  const seconds = Math.round(days * DAY_SECONDS)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}

/** A number as text: 2025-09-03, 2025-09-03T10:00:00, 10:00:00, 45 %, or its decimals with a point. */
export const formatNumber = (value: number, kind: NumberKind, is1904: boolean): string => {
  if (kind === 'percent') return `${formatDecimal(value * 100)} %`
  if (kind === 'moment' || (kind === 'time' && value >= 1)) return formatMoment(value, is1904)
  if ((kind === 'time' || kind === 'duration') && value >= 0) return formatDuration(value)
  const text = formatDecimal(value)
  return typeof kind === 'object' && /^\d+$/.test(text) ? text.padStart(kind.digits, '0') : text
}
