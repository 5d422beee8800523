import { fill, isSupported, type Language, type Phrase, toLanguage } from '#src/contract/language.ts'
import type { LookLink } from '#src/contract/look.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderBrand } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { renderTestNote } from '#src/web/page/index.ts'
import { icons } from './pages/icons.ts'
import { type Person, renderPerson } from './person.ts'
import { siteText as text } from './text.ts'

/** Where a page is shown, and to whom. */
export type FrameContext = {
  readonly school: School
  readonly language: Language
  /** The path of the preview below which the page is shown. */
  readonly preview?: string | undefined
  /** Who is signed in; undefined for a visitor. */
  readonly person?: Person | undefined
  /** Whether the page has the CSS of the school. */
  readonly isStyled?: boolean
}

/** What the header and the footer link to, besides what every school has. */
export type Linked = {
  readonly hasProducts: boolean
  readonly hasPlans: boolean
  readonly hasPosts: boolean
  readonly hasEvents: boolean
  /** Pages with a name in the navigation, in their order. */
  readonly named: readonly LookLink[]
}

/** A link of the navigation; links that the school named are in its language. */
type NavigationLink = LookLink & { readonly children: readonly LookLink[]; readonly isOwn: boolean }

type LinkPlace = { readonly at: string; readonly kind: 'nav-link' | 'sub-link' }

// One row has room for so many links, and for so many letters of them; the others are in a group.
const MOST_LINKS = 5
const MOST_LETTERS = 46

const pages: readonly { readonly path: string; readonly name: Phrase }[] = [
  { path: '/courses', name: text.courses },
  { path: '/lecturers', name: text.lecturers },
  { path: '/events', name: text.events },
  { path: '/products', name: text.products },
  { path: '/plans', name: text.plans },
  { path: '/blog', name: text.blog },
]

/** The pages that a school has; one without products, plans, events or posts has no link to them. */
export const pagesFor = ({ hasProducts, hasPlans, hasEvents, hasPosts }: Linked): typeof pages => {
  const isShown: Readonly<Record<string, boolean>> = {
    '/products': hasProducts,
    '/plans': hasPlans,
    '/events': hasEvents,
    '/blog': hasPosts,
  }
  return pages.filter(({ path }) => isShown[path] ?? true)
}

/** The attributes of an element with a text of the school: its language, where the frame has another one. */
export const inSchool = ({ school, language }: Pick<FrameContext, 'school' | 'language'>): Html =>
  toLanguage(school.locale) === language && isSupported(school.locale)
    ? html` dir="auto"`
    : html` lang="${school.locale}" dir="auto"`

/** The address at which somebody creates an account and then comes back to a page of the site. */
export const signUpPath = (returnTo: string): string =>
  `/account/sign-up?${new URLSearchParams({ return_to: returnTo })}`

const signInPath = (returnTo: string): string => `/account/sign-in?${new URLSearchParams({ return_to: returnTo })}`

const renderCurrent = (path: string, at: string): Html | false =>
  (at === path || at.startsWith(`${path}/`)) && html` aria-current="${at === path ? 'page' : 'true'}"`

/** A link that a school calls as we would is in the language of the reader, like those beside it; another one is in its own. */
export const renderLabel = ({ label, href }: LookLink, context: FrameContext): Html => {
  const { school, language } = context
  const own = pages.find(({ path, name }) => path === href && label === fill(name, toLanguage(school.locale)))
  return own === undefined ? html`<span${inSchool(context)}>${label}</span>` : html`${fill(own.name, language)}`
}

const ownLink = (link: LookLink): NavigationLink => ({ ...link, children: [], isOwn: true })

const listLinks = (context: FrameContext & Linked): readonly NavigationLink[] =>
  context.school.look?.navigation?.map(link => ({ ...link, isOwn: true })) ?? [
    ...pagesFor(context).map(({ path, name }) => ({
      label: fill(name, context.language),
      href: path,
      children: [],
      isOwn: false,
    })),
    ...context.named.map(ownLink),
  ]

// A group is opened without a script; its own page is the first in it.
const unfold = ({ children, ...link }: NavigationLink): readonly NavigationLink[] =>
  [link, ...children].map(one => ({ ...one, children: [], isOwn: link.isOwn }))

const renderLink = (link: NavigationLink, context: FrameContext, { at, kind }: LinkPlace): Html =>
  html`<li><a class="${kind}" href="${link.href}"${renderCurrent(link.href, at)}>${link.isOwn ? renderLabel(link, context) : link.label}</a></li>\n`

const renderGroup = (label: Html, links: readonly NavigationLink[], context: FrameContext, at: string): Html =>
  html`<li><details class="nav-group" name="navigation"><summary class="nav-link">${label}</summary>
<ul class="sub-links">
${links.map(one => renderLink(one, context, { at, kind: 'sub-link' }))}</ul>
</details></li>
`

const countFitting = (links: readonly NavigationLink[]): number => {
  let letters = 0
  const end = links.findIndex(({ label }, index) => {
    letters += [...label].length
    return index >= MOST_LINKS || letters > MOST_LETTERS
  })
  return end < 0 ? links.length : end
}

const renderNavigation = (links: readonly NavigationLink[], at: string, context: FrameContext): Html => {
  const { language } = context
  const fitting = countFitting(links)
  const others = links.slice(fitting).flatMap(unfold)
  const renderOne = (link: NavigationLink): Html =>
    link.children.length === 0
      ? renderLink(link, context, { at, kind: 'nav-link' })
      : renderGroup(renderLabel(link, context), unfold(link), context, at)
  return html`<nav class="site-nav" aria-label="${fill(text.navigation, language)}">
<ul>
${links.slice(0, fitting).map(renderOne)}${others.length > 0 && renderGroup(html`${fill(texts.words.more, language)}`, others, context, at)}</ul>
</nav>`
}

const renderAnnouncement = (context: FrameContext): Html | false => {
  const announcement = context.school.look?.announcement
  if (announcement == null) return false
  const { text: words, href } = announcement
  const inside = href === null ? html`${words}` : html`<a href="${href}">${words}</a>`
  return html`<p class="announcement"${inSchool(context)}>${inside}</p>\n`
}

type Tool = readonly [path: string, name: Phrase]

const listTools = ({ school, person }: FrameContext, at: string): readonly Tool[] => [
  ['/search', text.search.title],
  ...(person === undefined
    ? [
        [signInPath(at), texts.words.signIn] as const,
        ...(school.signupMode === 'open' ? [[signUpPath(at), text.signUp] as const] : []),
      ]
    : [['/learn', texts.words.yourCourses] as const]),
]

// Where the row has no room for links: all of them, and what else the header has.
const renderMenu = (links: readonly NavigationLink[], at: string, context: FrameContext): Html => {
  const { language } = context
  return html`<details class="nav-group site-menu" name="navigation"><summary class="menu-button">${fill(texts.site.menu.title, language)}</summary>
<div class="sub-links">
<nav aria-label="${fill(texts.site.menu.title, language)}">
<ul>
${links.flatMap(unfold).map(link => renderLink(link, context, { at, kind: 'sub-link' }))}</ul>
<ul class="apart">
${listTools(context, at).map(([path, name]) => html`<li><a class="sub-link" href="${path}">${fill(name, language)}</a></li>\n`)}</ul>
</nav>
</div>
</details>`
}

const renderVisitor = ({ school, language }: FrameContext, at: string): Html =>
  html`<a class="tool wide-only" href="${signInPath(at)}">${fill(texts.words.signIn, language)}</a>
${school.signupMode === 'open' && html`<a class="button main small wide-only to-sign-up" href="${signUpPath(at)}">${fill(text.signUp, language)}</a>`}`

/** The row of links of every page; `at` is the path of the page. */
export const renderBar = (context: FrameContext & Linked, at: string): Html => {
  const { school, language, person, isStyled = false } = context
  const links = listLinks(context)
  return html`<div class="bar">
${renderBrand({ name: school.name, look: school.look, href: '/' }, inSchool(context))}
${renderNavigation(links, at, context)}
<div class="bar-tools">
<a class="tool wide-only" href="/search" aria-label="${fill(text.search.title, language)}">${icons.search}</a>
${person === undefined ? renderVisitor(context, at) : renderPerson(person, { language, isStyled })}
${renderMenu(links, at, context)}
</div>
</div>`
}

/** The header of a page of the site: what everybody should know, and the row of links. */
export const renderHeader = (context: FrameContext & Linked, at: string, isDraft: boolean): Html => {
  const { school, language } = context
  return html`${isDraft && html`<p class="test-note">${fill(text.draft, language)}</p>\n`}${renderAnnouncement(context)}${renderTestNote(school, language)}${renderBar(context, at)}`
}
