import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { brandOf, pageHeaders, sitePage } from '#src/kit/html-page.ts'
import { icons, inSchool, siteText } from '#src/web/site/index.ts'
import { learnText as text } from './text.ts'
import type { Visit } from './visit.ts'

/** A success or an error shown above the content. */
export type Notice = { readonly kind: 'done' | 'refused'; readonly text: string }

/** A learning page, before the header and the footer. */
type LearnView = {
  readonly title: string
  /** Whether it is the list of courses, which the header names. */
  readonly isHome?: boolean
  readonly status?: number
  readonly beside?: Html
  readonly main: Html
}

type Link = readonly [path: string, name: Phrase]

const headerOf = (visit: Visit, { isHome = false }: LearnView): Html => {
  const { school, language } = visit
  return html`${school.isTest && html`<p class="test-note">${fill(siteText.testSchool, language)}</p>\n`}<div class="wrap bar">
${brandOf({ name: school.name, look: school.look, href: '/' }, inSchool(visit))}
<nav class="site-nav" aria-label="${fill(text.navigation, language)}">
<ul>
<li><a class="nav-link" href="/learn"${isHome ? html` aria-current="page"` : html` aria-current="true"`}>${fill(text.title, language)}</a></li>
</ul>
</nav>
<div class="tools">
<a class="tool" href="/account">${icons.person}<span class="tool-name">${fill(text.account, language)}</span></a>
</div>
</div>`
}

const LINKS: readonly Link[] = [
  ['/learn', text.title],
  ['/courses', text.catalogue],
  ['/account', text.account],
]

const footerOf = (visit: Visit): Html => {
  const { school, language } = visit
  return html`<div class="wrap foot">
${brandOf({ name: school.name, look: school.look }, inSchool(visit))}
<nav aria-label="${fill(text.footer, language)}">
<ul>
${LINKS.map(([path, name]) => html`<li><a class="footer-link" href="${path}">${fill(name, language)}</a></li>\n`)}</ul>
</nav>
</div>`
}

/** A notice as an element that screen readers announce; nothing without one. */
export const noticeHtml = (notice: Notice | undefined): Html | false => {
  if (notice === undefined) return false
  const { kind, text: words } = notice
  return kind === 'done'
    ? html`<p class="notice" role="status" id="done">${words}</p>`
    : html`<p class="notice refused" role="alert" id="complaint">${words}</p>`
}

/** A learning page; it is never stored, since it shows what one person does. */
export const framed = (visit: Visit, view: LearnView): Reply => {
  const { school, language, policy } = visit
  const { title, status = 200, beside, main } = view
  return {
    status,
    headers: { ...pageHeaders, 'content-security-policy': policy, 'cache-control': 'private, no-store' },
    body: sitePage({
      lang: language,
      title: `${title} · ${school.name}`,
      description: '',
      canonical: undefined,
      openGraph: {},
      jsonLd: [],
      // As on pages of an account: the colors of the school, and not its CSS.
      look: school.look,
      moreStyle: 'learn',
      skip: fill(text.skip, language),
      header: headerOf(visit, view),
      beside,
      main,
      footer: footerOf(visit),
    }),
  }
}

/** A form with its CSRF token; `action` is an address of ours. */
export const formOf = ({ token }: Visit, action: string, inside: Html): Html =>
  html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
${inside}
</form>`
