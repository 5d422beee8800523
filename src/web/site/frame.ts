import { fill } from '#src/contract/language.ts'
import type { LookLink } from '#src/contract/look.ts'
import type { School } from '#src/contract/school.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderBrand, type SitePage } from '#src/kit/html-page.ts'
import { renderLanguageLink, renderLanguages } from '#src/web/page/index.ts'
import { type FrameContext, inSchool, type Linked, pagesFor, renderHeader, renderLabel } from './header.ts'
import { icons } from './pages/icons.ts'
import { siteText as text } from './text.ts'

/** A page of the site, before the header and the footer. */
export type SiteView = {
  readonly title: string
  /** What it is about, in one or two sentences. */
  readonly description?: string
  /** Its address within the school, without which search engines do not list it and get no data blocks. */
  readonly path: string | undefined
  /** The address at which it was published first, elsewhere. */
  readonly canonicalUrl?: string
  /** The address to which somebody comes back after creating an account; unset: `path`. */
  readonly returnTo?: string
  readonly status?: number
  /** The absolute address of a picture of what it is about. */
  readonly image?: string | undefined
  readonly jsonLd?: readonly unknown[]
  /** Whether only people with its address see it, for an hour. */
  readonly isPreview?: boolean
  /** What it shows, where its views are counted. */
  readonly viewed?: Viewed
  readonly main: Html
}

const MAX_DESCRIPTION = 300

/** A field for the search of the site; `id` is that of the input. */
export const searchForm = (
  { language }: FrameContext,
  { id, q, placeholder }: { readonly id: string; readonly q: string; readonly placeholder: string },
): Html => html`<search class="search-box">
<form class="search" action="/search" method="get">
<label class="unseen" for="${id}">${fill(text.search.label, language)}</label>
<input type="search" id="${id}" name="q" value="${q}" placeholder="${placeholder}" maxlength="200" required>
<button type="submit" aria-label="${fill(text.search.title, language)}">${icons.search}</button>
</form>
</search>`

const footerLinks = (links: readonly LookLink[], name: string, context: FrameContext): Html | false =>
  links.length > 0 &&
  html`<ul class="${name}">
${links.map(link => html`<li><a class="footer-link" href="${link.href}">${renderLabel(link, context)}</a></li>\n`)}</ul>
`

// On the home page the picture of the school says more than that of a course.
const sharedImage = ({ path, image }: SiteView, { look, siteOrigin }: School): string | undefined => {
  const own = look?.socialImage == null ? undefined : `${siteOrigin}${look.socialImage}`
  return path === '/' ? (own ?? image) : (image ?? own)
}

const renderFooter = (view: SiteView, context: FrameContext & Linked): Html => {
  const { school, language, person, isStyled = false } = context
  const links = [
    ...pagesFor(context),
    { path: '/search', name: text.search.title },
    { path: '/account', name: text.account },
    { path: '/developers', name: text.developers },
  ]
  const footer = school.look?.footer
  return html`<div class="wrap foot">
<div class="foot-school">
${renderBrand({ name: school.name, look: school.look }, inSchool(context))}
${footer?.text != null && html`<p class="footer-text"${inSchool(context)}>${footer.text}</p>\n`}${footer && footerLinks(footer.social, 'social-links', context)}</div>
<nav aria-label="${fill(text.footer, language)}">
<ul>
${links.map(({ path, name }) => html`<li><a class="footer-link" href="${path}">${fill(name, language)}</a></li>\n`)}</ul>
</nav>
<div class="foot-end">
<p class="colophon">${fill(text.poweredBy, language)}</p>
${footer && footerLinks(footer.links, 'own-links', context)}${
  // No page with the CSS of the school has a form.
  isStyled ? renderLanguageLink(view.path ?? '/') : renderLanguages({ language, token: person?.token })
}
</div>
</div>`
}

/** One line of at most so many characters, cut at a word. */
export const shortened = (words: string, length: number): string => {
  const line = words.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  return `${line.slice(0, length).replace(/\s+\S*$/, '')}…`
}

/** Whether a school has CSS of its own, which is on no page with a form. */
export const hasOwnCss = ({ look }: School): boolean => look != null && look.siteStyleSheet !== look.styleSheet

// CSS can cover a field and change what it seems to be for, so no page on which people type has the CSS of the school.
const isStyledWith = (school: School, main: Html): boolean =>
  hasOwnCss(school) && !/<(?:form|input|select|textarea)\b/i.test(main.html)

/** A view with the header, the footer and what search engines read. */
export const framed = (view: SiteView, place: FrameContext & Linked): SitePage => {
  const { school, language, preview } = place
  const { look } = school
  const isStyled = isStyledWith(school, view.main)
  const context = { ...place, isStyled }
  const { path, main, jsonLd = [] } = view
  const image = sharedImage(view, school)
  const description = shortened(view.description ?? '', MAX_DESCRIPTION)
  const title = view.title === school.name ? school.name : `${view.title} · ${school.name}`
  // Nobody should take a test school for a real one.
  const isHidden = path === undefined || school.isTest || preview !== undefined
  const canonical = isHidden ? undefined : (view.canonicalUrl ?? `${school.siteOrigin}${path}`)
  return {
    lang: language,
    title,
    description,
    canonical,
    openGraph: {
      'og:site_name': school.name,
      'og:type': 'website',
      'og:title': view.title,
      ...(description === '' ? {} : { 'og:description': description }),
      ...(canonical === undefined ? {} : { 'og:url': canonical }),
      ...(image === undefined ? {} : { 'og:image': image }),
    },
    jsonLd: canonical === undefined ? [] : jsonLd,
    look: look && {
      styleSheet: isStyled ? look.siteStyleSheet : look.styleSheet,
      textFont: look.textFont ?? null,
      favicon: look.favicon,
    },
    isStyled,
    skip: fill(text.skip, language),
    header: renderHeader(context, path ?? view.returnTo ?? '/', preview !== undefined || view.isPreview === true),
    main,
    footer: renderFooter(view, context),
  }
}
