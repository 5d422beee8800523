import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { MailChoice } from '#src/contract/mail.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, mainButton } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import type { ChangeView } from './change.ts'
import { unsubscribeText } from './unsubscribe-text.ts'

const { emails: text } = unsubscribeText

/** Mails that a person may turn off, and whether they want them. */
type Option = { readonly choice: MailChoice; readonly isWanted: boolean }

const box = ({ choice: { key, title }, isWanted }: Option, language: Language): Html =>
  html`<div class="scope"><input type="checkbox" id="${key}" name="mail" value="${key}"${isWanted && html` checked`}><label for="${key}">${fill(title, language)}</label></div>
`

/** The page on which a person chooses their e-mails. */
export const emailsPage = (view: ChangeView, options: readonly Option[]): Reply => {
  const { language, token, school } = view
  const inside = html`${options.map(option => box(option, language))}${mainButton(fill(text.button, language))}`
  return framed({
    school,
    language,
    title: fill(text.title, language),
    body: html`<p>${fill(text.intro, language, { school: school.name })}</p>
${formOf('/account/emails', token, inside)}
<p class="quiet">${fill(unsubscribeText.others, language)}</p>
${backLink(language)}`,
  })
}
