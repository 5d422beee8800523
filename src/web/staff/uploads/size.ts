import type { Language } from '#src/contract/language.ts'

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes, such as `1.2 MB`. */
export const sizeOf = (bytes: number, language: Language): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // The short name of bytes has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(TAGS[language], format).format(bytes / 1000 ** power)
}
