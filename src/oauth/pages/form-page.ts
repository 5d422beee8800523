import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, redirectingPageHeaders } from '#src/kit/html-page.ts'
import { fill } from './fill.ts'
import { type PeopleFault, peopleText } from './people-text.ts'

/** One input with its label. */
export type FormField = {
  readonly name: 'name' | 'email' | 'password' | 'code'
  readonly label: string
  readonly value?: string
  readonly hint?: string
}

/** What was wrong with what was typed; `wait` in seconds where it was too often. */
export type Complaint = { readonly fault: PeopleFault; readonly wait?: number; readonly email?: string }

/** A page with a form that carries a handle, and links that lead on from it. */
export type FormView = {
  readonly language: Language
  readonly title: string
  readonly intro: string
  readonly action: string
  readonly handle: { readonly name: 'request' | 'invitation'; readonly value: string }
  /** By which the form shows to whom its page was shown, where somebody is signed in. */
  readonly token?: string | undefined
  readonly fields: readonly FormField[]
  readonly button: string
  readonly links: readonly { readonly href: string; readonly label: string }[]
  readonly complaint?: Complaint | undefined
}

const attributes: Record<FormField['name'], Html> = {
  name: html`type="text" autocomplete="name" maxlength="100"`,
  email: html`type="email" autocomplete="username" maxlength="254"`,
  password: html`type="password" autocomplete="new-password" minlength="10" maxlength="256"`,
  code: html`type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,8}" maxlength="8"`,
}

const input = ({ name, label, value, hint }: FormField): Html => {
  const filled = value === undefined ? '' : html` value="${value}"`
  const described = hint === undefined ? '' : html` aria-describedby="${name}-hint"`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes[name]}${filled}${described} required>
${hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`}`
}

const said = ({ fault, wait = 0, email = '' }: Complaint, language: Language): Html =>
  html`<p class="note" role="alert" id="complaint">${fill(peopleText.faults[fault], language, { minutes: Math.ceil(wait / 60), email })}</p>`

/** A page with a form; 400 with a complaint, 429 when it was too often. */
export const formPage = (view: FormView): Reply => {
  const { language, title, complaint } = view
  const body = html`<h1>${title}</h1>
<p>${view.intro}</p>
${complaint !== undefined && said(complaint, language)}
<form method="post" action="${view.action}">
<input type="hidden" name="${view.handle.name}" value="${view.handle.value}">
${view.token !== undefined && html`<input type="hidden" name="token" value="${view.token}">`}
${view.fields.map(input)}
<div class="buttons"><button class="main" type="submit">${view.button}</button></div>
</form>
${view.links.map(({ href, label }) => html`<p class="quiet"><a href="${href}">${label}</a></p>\n`)}`
  const retry: Record<string, string> =
    complaint?.wait === undefined ? {} : { 'retry-after': String(Math.max(1, complaint.wait)) }
  const refused = complaint?.wait === undefined ? 400 : 429
  return {
    status: complaint === undefined ? 200 : refused,
    headers: { ...redirectingPageHeaders, ...retry },
    body: page({ lang: language, title, body }),
  }
}

/** A page that only says something, and where to go on. */
export const saying = (view: {
  readonly language: Language
  readonly status: number
  readonly title: string
  readonly text: string
  readonly links: FormView['links']
}): Reply => ({
  status: view.status,
  headers: redirectingPageHeaders,
  body: page({
    lang: view.language,
    title: view.title,
    body: html`<h1>${view.title}</h1>
<p>${view.text}</p>
${view.links.map(({ href, label }) => html`<p><a href="${href}">${label}</a></p>\n`)}`,
  }),
})
