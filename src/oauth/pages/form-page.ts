import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, redirectingPageHeaders } from '#src/kit/html-page.ts'
import { fill } from './fill.ts'
import { type PeopleError, peopleText } from './people-text.ts'

/** One input with its label. */
type FormField = {
  readonly name: 'name' | 'email' | 'password' | 'code'
  readonly label: string
  readonly value?: string
  readonly hint?: string
}

/** The error of a form; `wait` in seconds after too many attempts. */
export type Complaint = { readonly error: PeopleError; readonly wait?: number; readonly email?: string }

/** A page with a form that contains a handle, and links to other pages. */
type FormView = {
  readonly school: School
  readonly language: Language
  readonly title: string
  readonly intro: string
  readonly action: string
  readonly handle: { readonly name: 'request' | 'invitation'; readonly value: string }
  /** The CSRF token that binds the form to the signed-in person, if there is one. */
  readonly token?: string | undefined
  /** The code of a link, which the button sends. */
  readonly code?: string
  readonly fields: readonly FormField[]
  readonly button: string
  readonly links: readonly { readonly href: string; readonly label: string }[]
  readonly complaint?: Complaint | undefined
}

const attributes: Record<FormField['name'], Html> = {
  name: html`type="text" autocomplete="name" maxlength="100"`,
  email: html`type="email" autocomplete="username" maxlength="254"`,
  password: html`type="password" autocomplete="new-password" minlength="10" maxlength="256"`,
  code: html`type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[^A-Za-z]{6,20}" maxlength="20"`,
}

const input = ({ name, label, value, hint }: FormField): Html => {
  const filled = value === undefined ? '' : html` value="${value}"`
  const described = hint === undefined ? '' : html` aria-describedby="${name}-hint"`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes[name]}${filled}${described} required>
${hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`}`
}

const complaintText = ({ error, wait = 0, email = '' }: Complaint, language: Language): Html =>
  html`<p class="note" role="alert" id="complaint">${fill(peopleText.errors[error], language, { minutes: Math.ceil(wait / 60), email })}</p>`

/** A page with a form; 400 with an error, 429 after too many attempts. */
export const formPage = (view: FormView): Reply => {
  const { language, title, complaint } = view
  const body = html`<h1>${title}</h1>
<p>${view.intro}</p>
${complaint !== undefined && complaintText(complaint, language)}
<form method="post" action="${view.action}">
<input type="hidden" name="${view.handle.name}" value="${view.handle.value}">
${view.token !== undefined && html`<input type="hidden" name="token" value="${view.token}">`}
${view.code !== undefined && html`<input type="hidden" name="code" value="${view.code}">`}
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
    body: page({ lang: language, title, brand: { name: view.school.name, look: view.school.look }, body }),
  }
}

/** A page with a message and a link to continue. */
export const messagePage = (view: {
  readonly school: School
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
    brand: { name: view.school.name, look: view.school.look },
    body: html`<h1>${view.title}</h1>
<p>${view.text}</p>
${view.links.map(({ href, label }) => html`<p><a href="${href}">${label}</a></p>\n`)}`,
  }),
})
