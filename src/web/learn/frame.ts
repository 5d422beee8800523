import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { pageHeaders, renderBrand, sitePage } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { type Notice, renderLanguages, renderTestNote } from '#src/web/page/index.ts'
import { inSchool } from '#src/web/site/index.ts'
import type { LearnContext } from './parts.ts'

const { common: text } = texts.learn

/** A learning page, before the header and the footer. */
type LearnView = {
  readonly title: string
  readonly status?: number
  readonly beside?: Html
  readonly main: Html
}

type Link = readonly [path: string, name: Phrase]

// The header of the site takes the place of the row, for everybody who may see the page.
const renderHeader = (context: LearnContext): Html => {
  const { school, language } = context
  return html`${renderTestNote(school, language)}<div class="bar">
${renderBrand({ name: school.name, look: school.look, href: '/' }, inSchool(context))}
</div>`
}

const LINKS: readonly Link[] = [
  ['/learn', text.title],
  ['/courses', text.catalogue],
  ['/account', texts.words.yourAccount],
]

const renderFooter = (context: LearnContext): Html => {
  const { school, t, language, token } = context
  return html`<div class="wrap foot">
${renderBrand({ name: school.name, look: school.look }, inSchool(context))}
<nav aria-label="${t(texts.words.moreAboutSchool)}">
<ul>
${LINKS.map(([path, name]) => html`<li><a class="footer-link" href="${path}">${t(name)}</a></li>\n`)}</ul>
</nav>
${renderLanguages({ language, token })}
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
export const framed = (context: LearnContext, view: LearnView): Reply => {
  const { school, language, policy, t } = context
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
      skip: t(texts.words.skipToContent),
      header: renderHeader(context),
      beside,
      main,
      footer: renderFooter(context),
    }),
  }
}
