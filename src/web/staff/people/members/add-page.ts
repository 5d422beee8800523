import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton } from '#src/web/page/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import { staffText } from '../../pages/text.ts'

/** The values of the form for a new member. */
export type Typed = { readonly name: string; readonly email: string; readonly invites: boolean }

type AddView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly typed: Typed
  readonly refusal: Refusal | undefined
}

const { add: text } = staffText

/** The page on which a member is added, and invited. */
export const addPage = ({ school, language, token, typed, refusal }: AddView): Reply => {
  const name = { name: 'name', label: fill(text.name, language), attributes: kinds.name, value: typed.name }
  const email = { name: 'email', label: fill(text.email, language), attributes: kinds.email, value: typed.email }
  const inside = html`${input(name)}
${input(email)}
<div class="scope"><input type="checkbox" id="invites" name="invites" value="yes"${typed.invites && html` checked`}><label for="invites">${fill(text.invites, language)} <span class="quiet">${fill(text.invitesHint, language)}</span></label></div>
${mainButton(fill(text.button, language))}`
  return framed({
    school,
    language,
    title: fill(text.title, language),
    ...refusedIn(refusal, language),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf('/staff/people/new', token, inside)}
<p class="quiet"><a href="/staff/people">${fill(text.back, language)}</a></p>`,
  })
}
