import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Profile } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { isLocale } from '#src/kit/locale.ts'
import { type Choice, formOf, framed, input, kinds, mainButton, select } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import { type ChangeView, noticeOf } from './change.ts'
import { changeText } from './change-text.ts'

const LOCALES = ['en', 'pt', 'pt-BR', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'uk', 'ar', 'hi', 'ja', 'zh']

const { profile: text } = changeText

const localeName = (tag: string): string => {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return `${name} (${tag})`
}

// The stored value stays a choice, even if it is not in the list.
const withStored = (list: readonly string[], stored: string | null): readonly string[] =>
  stored === null || list.includes(stored) ? list : [stored, ...list]

const locales = (stored: string | null, language: Language): Choice[] => [
  { value: '', label: fill(text.schoolLocale, language) },
  ...withStored(LOCALES, stored !== null && isLocale(stored) ? stored : null).map(value => ({
    value,
    label: localeName(value),
  })),
]

const zones = (stored: string | null, language: Language): Choice[] => [
  { value: '', label: fill(text.noTimeZone, language) },
  ...withStored(['UTC', ...Intl.supportedValuesOf('timeZone')], stored).map(value => ({ value, label: value })),
]

/** The page for name, language and time zone. */
export const profilePage = (view: ChangeView & { readonly profile: Profile }): Reply => {
  const { language, token } = view
  const { name, locale, time_zone: zone } = view.profile
  const inside = html`${input({ name: 'name', label: fill(text.name, language), attributes: kinds.name, value: name })}
${select('locale', fill(text.locale, language), locale ?? '', locales(locale, language))}
<p class="quiet">${fill(text.localeHint, language)}</p>
${select('time_zone', fill(text.timeZone, language), zone ?? '', zones(zone, language))}
${mainButton(fill(text.button, language))}`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: noticeOf(view),
    body: html`${formOf('/account/profile', token, inside)}
${backLink(language)}`,
  })
}
