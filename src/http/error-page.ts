import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Link, Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { chooseTitle } from './error-text.ts'

/** The reader of an error page; without a known school there is no home page to link to. */
export type Reader = {
  readonly language: Language
  readonly school: Pick<School, 'name' | 'look'> | undefined
}

const text = texts.http

const buildDetails = (error: Refusal | OAuthError) => {
  if (error instanceof OAuthError) return { status: error.status, code: error.code, headers: error.headers, links: [] }
  const { problem, extras } = error
  return { status: problem.status, code: problem.code, headers: extras.headers, links: extras.links ?? [] }
}

const linkList = (links: readonly Link[], language: Language): Html =>
  html`<ul>${links.map(({ href, label }) => html`<li><a href="${href}">${typeof label === 'string' ? label : fill(label, language)}</a></li>`)}</ul>
`

/** A page that shows what went wrong, with the code for developers and a link back to the school. */
export const errorPage = (error: Refusal | OAuthError, { language, school }: Reader): Reply => {
  const { status, code, headers, links } = buildDetails(error)
  const { phrase, message } = error
  const title = fill(chooseTitle(error), language)
  // Texts for developers only are in English.
  const explanation = phrase === undefined ? html`<p lang="en">${message}</p>` : html`<p>${fill(phrase, language)}</p>`
  const back =
    school !== undefined && html`<p><a href="/">${fill(text.home, language, { school: school.name })}</a></p>\n`
  const brand = school && { name: school.name, look: school.look, href: '/' }
  const body = html`<h1>${title}</h1>
${explanation}
${links.length > 0 && linkList(links, language)}${back}<p class="quiet">${fill(text.code, language)}: <code>${code}</code></p>`
  return { status, headers: { ...pageHeaders, ...headers }, body: page({ lang: language, title, brand, body }) }
}
