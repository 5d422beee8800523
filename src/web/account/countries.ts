import type { Language } from '#src/contract/language.ts'
import { countryCodes } from '#src/kit/countries.ts'
import { toTag } from '#src/kit/locale.ts'
import type { Choice } from '#src/web/page/index.ts'

/** The countries by their names in a language, after the choice of none. */
export const countryChoices = (language: Language, none: string): Choice[] => {
  const names = new Intl.DisplayNames([toTag(language)], { type: 'region' })
  const all = countryCodes.map(value => ({ value, label: names.of(value) ?? value }))
  all.sort((one, other) => one.label.localeCompare(other.label, language))
  return [{ value: '', label: none }, ...all]
}
