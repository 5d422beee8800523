import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { accountText as text } from './account-text.ts'
import { formOf, framed } from './frame.ts'

type AccountView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
}

/** The first page of an account: who one is. */
export const accountPage = ({ school, language, person, token }: AccountView): Reply =>
  framed({
    language,
    title: fill(text.title, language, { school: school.name }),
    body: html`<dl>
<dt>${fill(text.name, language)}</dt><dd>${person.name}</dd>
<dt>${fill(text.email, language)}</dt><dd>${person.email} <span class="quiet">(${fill(person.emailVerified ? text.proven : text.notProven, language)})</span></dd>
</dl>
${formOf('/account/sign-out', token, html`<button type="submit">${fill(text.signOut, language)}</button>`)}`,
  })
