import { fill, isSupported, type Language, type Phrase, toLanguage } from '#src/contract/language.ts'
import type { Look, LookLink, LookNavigation } from '#src/contract/look.ts'
import type { School } from '#src/contract/school.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderBrand, type SitePage } from '#src/kit/html-page.ts'
import { renderLanguageLink, renderLanguages, renderTestNote } from '#src/web/page/index.ts'
import { icons } from './pages/icons.ts'
import { type Person, renderPerson } from './person.ts'
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

type FrameContext = {
  readonly school: School
  readonly language: Language
  /** The path of the preview below which the page is shown. */
  readonly preview?: string | undefined
  /** Who is signed in; undefined for a visitor. */
  readonly person?: Person | undefined
  /** Whether the page has the CSS of the school. */
  readonly isStyled?: boolean
}

// What the header and the footer link to, besides what every school has.
type Linked = {
  readonly hasProducts: boolean
  readonly hasPlans: boolean
  readonly hasPosts: boolean
  readonly hasEvents: boolean
  /** Pages with a name in the navigation, in their order. */
  readonly named: readonly LookLink[]
}

const MAX_DESCRIPTION = 300

const navigation: readonly { readonly path: string; readonly name: Phrase }[] = [
  { path: '/courses', name: text.courses },
  { path: '/lecturers', name: text.lecturers },
  { path: '/events', name: text.events },
  { path: '/products', name: text.products },
  { path: '/plans', name: text.plans },
  { path: '/blog', name: text.blog },
]

// A school without products, plans, events or posts has no link to them.
const navigationFor = ({ hasProducts, hasPlans, hasEvents, hasPosts }: Linked): typeof navigation => {
  const isShown: Readonly<Record<string, boolean>> = {
    '/products': hasProducts,
    '/plans': hasPlans,
    '/events': hasEvents,
    '/blog': hasPosts,
  }
  return navigation.filter(({ path }) => isShown[path] ?? true)
}

/** The attributes of an element with a text of the school: its language, where the frame has another one. */
export const inSchool = ({ school, language }: Pick<FrameContext, 'school' | 'language'>): Html =>
  toLanguage(school.locale) === language && isSupported(school.locale)
    ? html` dir="auto"`
    : html` lang="${school.locale}" dir="auto"`

/** The address at which somebody creates an account and then comes back to a page of the site. */
export const signUpPath = (returnTo: string): string =>
  `/account/sign-up?${new URLSearchParams({ return_to: returnTo })}`

const currentIn = (path: string, at: string | undefined): Html | false =>
  at !== undefined &&
  (at === path || at.startsWith(`${path}/`)) &&
  html` aria-current="${at === path ? 'page' : 'true'}"`

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

// A link that is an icon on a narrow screen, with its text for screen readers.
const tool = (path: string, icon: Html, name: string): Html =>
  html`<a class="tool" href="${path}">${icon}<span class="tool-name">${name}</span></a>`

// A link that a school calls as we would is in the language of the reader, like those beside it; another one is in its own.
const renderLabel = ({ label, href }: LookLink, context: FrameContext): Html => {
  const { school, language } = context
  const own = navigation.find(({ path, name }) => path === href && label === fill(name, toLanguage(school.locale)))
  return own === undefined ? html`<span${inSchool(context)}>${label}</span>` : html`${fill(own.name, language)}`
}

type LinkPlace = { readonly at: string | undefined; readonly kind: 'nav-link' | 'sub-link' }

const renderLink = (link: LookLink, context: FrameContext, { at, kind }: LinkPlace): Html =>
  html`<li><a class="${kind}" href="${link.href}"${currentIn(link.href, at)}>${renderLabel(link, context)}</a></li>\n`

// Links below another one open without a script.
const renderGroup = (link: LookNavigation, context: FrameContext, at: string): Html => {
  if (link.children.length === 0) return renderLink(link, context, { at, kind: 'nav-link' })
  const { label, href, children } = link
  return html`<li><details class="nav-group" name="navigation"><summary class="nav-link">${renderLabel(link, context)}</summary>
<ul class="sub-links">
${[{ label, href }, ...children].map(one => renderLink(one, context, { at, kind: 'sub-link' }))}</ul>
</details></li>
`
}

const renderNavigation = (context: FrameContext & Linked, at: string): readonly Html[] =>
  context.school.look?.navigation?.map(link => renderGroup(link, context, at)) ?? [
    ...navigationFor(context).map(
      ({ path, name }) =>
        html`<li><a class="nav-link" href="${path}"${currentIn(path, at)}>${fill(name, context.language)}</a></li>\n`,
    ),
    ...context.named.map(link => renderLink(link, context, { at, kind: 'nav-link' })),
  ]

const renderAnnouncement = (context: FrameContext): Html | false => {
  const announcement = context.school.look?.announcement
  if (announcement == null) return false
  const { text: words, href } = announcement
  const inside = href === null ? html`${words}` : html`<a href="${href}">${words}</a>`
  return html`<p class="announcement"${inSchool(context)}>${inside}</p>\n`
}

const renderVisitor = ({ school, language }: FrameContext, at: string): Html =>
  html`${tool('/account', icons.person, fill(text.account, language))}
${school.signupMode === 'open' && html`<a class="button main small to-sign-up" href="${signUpPath(at)}">${fill(text.signUp, language)}</a>`}`

const renderHeader = (view: SiteView, context: FrameContext & Linked): Html => {
  const { school, language, preview, person, isStyled = false } = context
  const at = view.path ?? view.returnTo ?? '/'
  const hasSearch = !at.startsWith('/search') && !isStyled
  const search = fill(text.search.title, language)
  return html`${(preview !== undefined || view.isPreview === true) && html`<p class="test-note">${fill(text.draft, language)}</p>\n`}${renderAnnouncement(context)}${renderTestNote(school, language)}<div class="wrap bar">
${renderBrand({ name: school.name, look: school.look, href: '/' }, inSchool(context))}
<nav class="site-nav" aria-label="${fill(text.navigation, language)}">
<ul>
${renderNavigation(context, at)}</ul>
</nav>
<div class="bar-search">${hasSearch && searchForm(context, { id: 'search', q: '', placeholder: search })}</div>
<div class="tools">
<span${!isStyled && html` class="to-search"`}>${tool('/search', icons.search, search)}</span>
${person === undefined ? renderVisitor(context, at) : renderPerson(person, { language, isStyled })}
</div>
</div>`
}

const footerLinks = (links: readonly LookLink[], name: string, context: FrameContext): Html | false =>
  links.length > 0 &&
  html`<ul class="${name}">
${links.map(link => html`<li><a class="footer-link" href="${link.href}">${renderLabel(link, context)}</a></li>\n`)}</ul>
`

const ownFooter = ({ text: words, links, social }: Look['footer'], context: FrameContext): Html =>
  html`${
    (words !== null || links.length + social.length > 0) &&
    html`<div class="own-footer">
${words !== null && html`<p class="footer-text"${inSchool(context)}>${words}</p>\n`}${footerLinks(links, 'own-links', context)}${footerLinks(social, 'social-links', context)}</div>\n`
  }`

// On the home page the picture of the school says more than that of a course.
const sharedImage = ({ path, image }: SiteView, { look, siteOrigin }: School): string | undefined => {
  const own = look?.socialImage == null ? undefined : `${siteOrigin}${look.socialImage}`
  return path === '/' ? (own ?? image) : (image ?? own)
}

const renderFooter = (view: SiteView, context: FrameContext & Linked): Html => {
  const { school, language, person, isStyled = false } = context
  const links = [
    ...navigationFor(context),
    { path: '/search', name: text.search.title },
    { path: '/account', name: text.account },
    { path: '/developers', name: text.developers },
  ]
  return html`<div class="wrap foot">
${renderBrand({ name: school.name, look: school.look }, inSchool(context))}
<nav aria-label="${fill(text.footer, language)}">
<ul>
${links.map(({ path, name }) => html`<li><a class="footer-link" href="${path}">${fill(name, language)}</a></li>\n`)}</ul>
</nav>
${school.look != null && ownFooter(school.look.footer, context)}${
  // No page with the CSS of the school has a form.
  isStyled ? renderLanguageLink(view.path ?? '/') : renderLanguages({ language, token: person?.token })
}
<p class="colophon">${fill(text.poweredBy, language)}</p>
</div>`
}

/** One line of at most so many characters, cut at a word. */
export const shortened = (words: string, length: number): string => {
  const line = words.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  return `${line.slice(0, length).replace(/\s+\S*$/, '')}…`
}

// CSS can cover a field and change what it seems to be for, so no page on which people type has the CSS of the school.
const isStyledWith = (look: Look | null | undefined, main: Html): boolean =>
  look != null && look.siteStyleSheet !== look.styleSheet && !/<(?:form|input|select|textarea)\b/i.test(main.html)

/** A view with the header, the footer and what search engines read. */
export const framed = (view: SiteView, place: FrameContext & Linked): SitePage => {
  const { school, language, preview } = place
  const { look } = school
  const isStyled = isStyledWith(look, view.main)
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
    look: look && { styleSheet: isStyled ? look.siteStyleSheet : look.styleSheet, favicon: look.favicon },
    isStyled,
    skip: fill(text.skip, language),
    header: renderHeader(view, context),
    main,
    footer: renderFooter(view, context),
  }
}
