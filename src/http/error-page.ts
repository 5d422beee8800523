import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Link, Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { titleOf } from './error-text.ts'

/** Whose page a refusal is shown on; a school that was not found has none to lead to. */
export type Reader = {
  readonly language: Language
  readonly school: { readonly name: string; readonly baseUrl: string } | undefined
}

const codeLabel: Phrase = { en: 'Code', pt: 'Código' }
const homeLabel: Phrase = { en: 'To the home page of {school}', pt: 'Para a página inicial de {school}' }

const pick = ({ status, code, headers }: OAuthError) => ({ status, code, headers })

const told = (error: Refusal | OAuthError) => {
  if (error instanceof OAuthError) return { ...pick(error), links: [] }
  const { problem, extras } = error
  return { status: problem.status, code: problem.code, headers: extras.headers, links: extras.links ?? [] }
}

const linkList = (links: readonly Link[], language: Language): Html =>
  html`<ul>${links.map(({ href, label }) => html`<li><a href="${href}">${typeof label === 'string' ? label : fill(label, language)}</a></li>`)}</ul>
`

/** A page that tells a person what went wrong, with the code a developer needs and the way back to the school. */
export const errorPage = (error: Refusal | OAuthError, { language, school }: Reader): Reply => {
  const { status, code, headers, links } = told(error)
  const { phrase, message } = error
  const title = fill(titleOf(error), language)
  // What is said to developers alone is said in English.
  const said = phrase === undefined ? html`<p lang="en">${message}</p>` : html`<p>${fill(phrase, language)}</p>`
  const back =
    school !== undefined && html`<p><a href="/">${fill(homeLabel, language, { school: school.name })}</a></p>\n`
  const body = html`<h1>${title}</h1>
${said}
${links.length > 0 && linkList(links, language)}${back}<p class="quiet">${fill(codeLabel, language)}: <code>${code}</code></p>`
  return { status, headers: { ...pageHeaders, ...headers }, body: page({ lang: language, title, body }) }
}
