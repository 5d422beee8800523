import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { languages } from '#src/kit/locale.ts'
import type { ChosenScheme } from '#src/kit/scheme.ts'
import { texts } from '#src/texts/index.ts'

/** Where the language of the pages is chosen: a page of its own, and where the form of every other page is sent. */
export const LANGUAGE_PATH = '/account/language'

const { chooser: text } = texts.page

/** Who chooses a language: without the token of a session it is chosen for the browser alone. */
export type Choosing = {
  readonly language: Language
  readonly token?: string | undefined
  /** The scheme that was chosen, where one can be chosen too. */
  readonly scheme?: ChosenScheme | 'device' | undefined
  /** The address to come back to; unset: the page on which it is chosen. */
  readonly returnTo?: string | undefined
}

// As it is called by those who speak it, wherever it stands.
const nameLanguage = (language: Language): string => {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return `${name.charAt(0).toLocaleUpperCase(language)}${name.slice(1)}`
}

const renderChoice = (one: Language, { language }: Choosing): Html =>
  one === language
    ? html`<span lang="${one}" aria-current="true">${nameLanguage(one)}</span>\n`
    : html`<button type="submit" name="language" value="${one}" lang="${one}">${nameLanguage(one)}</button>\n`

const SCHEMES = ['device', 'light', 'dark'] as const

const renderScheme = (one: (typeof SCHEMES)[number], { language, scheme }: Choosing): Html => {
  const name = fill(text.schemes[one], language)
  return one === scheme
    ? html`<span aria-current="true">${name}</span>\n`
    : html`<button type="submit" name="scheme" value="${one}">${name}</button>\n`
}

const renderHidden = (name: string, value: string | undefined): Html | false =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}">\n`

/** The languages of our pages, of which one is chosen, and the color schemes where one can be. */
export const renderLanguages = (choosing: Choosing): Html => {
  const { language, token, returnTo, scheme } = choosing
  const label = fill(texts.account.change.profile.locale, language)
  return html`<form class="languages" method="post" action="${LANGUAGE_PATH}" aria-label="${label}">
${renderHidden('token', token)}${renderHidden('return_to', returnTo)}${languages.map(one => renderChoice(one, choosing))}${
  scheme !== undefined &&
  html`<div role="group" aria-label="${fill(text.scheme, language)}">
${SCHEMES.map(one => renderScheme(one, choosing))}</div>
`
}</form>`
}

/** The same for pages without a form: a link to the page on which it is chosen. */
export const renderLanguageLink = (returnTo: string): Html => {
  const query = new URLSearchParams({ return_to: returnTo })
  const names = languages.map(one => html`<span lang="${one}">${nameLanguage(one)}</span>\n`)
  return html`<p><a class="languages" href="${LANGUAGE_PATH}?${String(query)}">${names}</a></p>`
}
