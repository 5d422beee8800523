import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { ConnectedApp, Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { choiceButton, dayOf, doneIn, formOf, framed } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { backLink } from './account.ts'
import { appsText as text } from './apps-text.ts'

/** The page of connected apps. */
type AppsView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly apps: readonly ConnectedApp[]
  readonly scopes: AccountPagesParts['scopes']
  readonly token: string
  readonly done: string
}

const nameOf = ({ name }: ConnectedApp, language: Language): string =>
  name === '' ? fill(text.unnamed, language) : name

const voucher = ({ client_id: id, is_pre_registered }: ConnectedApp, language: Language): string => {
  if (is_pre_registered) return fill(text.verified, language)
  // The id of a client with a metadata document is the address of the document.
  if (!id.startsWith('https://')) return fill(text.notVerified, language)
  return fill(text.vouchedFor, language, { host: new URL(id).host })
}

// In the order of the consent page; scopes that only affect how the app signs in have no text.
const sentencesOf = (app: ConnectedApp, { scopes, language }: AppsView): string[] =>
  [...scopes].filter(([name]) => app.scopes.includes(name)).map(([, { sentence }]) => sentence[language])

const timesOf = (app: ConnectedApp, { language, person }: AppsView): string => {
  const day = (instant: Date) => ({ day: dayOf(instant, language, person) })
  return [
    fill(text.since, language, day(app.connected_at)),
    fill(text.used, language, day(app.last_used_at)),
    fill(text.until, language, day(app.expires_at)),
  ].join(' · ')
}

const card = (app: ConnectedApp, view: AppsView): Html => {
  const { language, token } = view
  const name = nameOf(app, language)
  return html`<section class="card">
<h2><bdi>${name}</bdi></h2>
<p class="quiet">${voucher(app, language)}</p>
<p>${fill(text.may, language)}:</p>
<ul>
${sentencesOf(app, view).map(sentence => html`<li>${sentence}</li>\n`)}</ul>
<p class="quiet">${timesOf(app, view)}</p>
${formOf('/account/apps', token, choiceButton('app', app.id, fill(text.disconnect, language), name))}
</section>
`
}

const all = ({ language, token }: AppsView): Html => html`<h2>${fill(text.allTitle, language)}</h2>
<p>${fill(text.allIntro, language)}</p>
${formOf('/account/apps', token, choiceButton('app', 'all', fill(text.all, language)))}`

/** The connected apps of a person, what each may do, and a button to disconnect it. */
export const appsPage = (view: AppsView): Reply => {
  const { language, apps } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: doneIn(text.done, view.done, language),
    body: html`<p>${fill(apps.length === 0 ? text.none : text.intro, language)}</p>
${apps.map(app => card(app, view))}${apps.length > 1 && all(view)}
${backLink(language)}`,
  })
}
