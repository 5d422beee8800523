import { fill, type Language } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import type { Counted } from './text.ts'

/** A number of things in words, such as `3 lessons`. */
export const counted = (phrases: Counted, n: number, language: Language, more: Record<string, string> = {}): string => {
  const isOne = new Intl.PluralRules(language).select(n) === 'one'
  return fill(isOne ? phrases.one : phrases.other, language, { ...more, n: formatNumber(n, language) })
}
