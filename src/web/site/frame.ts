import { fill, type Language, languageOf, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { SitePage } from '#src/kit/html-page.ts'
import { siteText as text } from './text.ts'

/** A page of the site, before the header and the footer. */
export type SiteView = {
  readonly title: string
  /** What it is about, in one or two sentences. */
  readonly description?: string
  /** Its address within the school, without which search engines do not list it. */
  readonly path: string | undefined
  /** The address to which somebody comes back after creating an account; unset: `path`. */
  readonly returnTo?: string
  readonly status?: number
  /** The absolute address of a picture of what it is about. */
  readonly image?: string | undefined
  readonly jsonLd?: readonly unknown[]
  readonly main: Html
}

type FrameContext = { readonly school: School; readonly language: Language }

const MAX_DESCRIPTION = 300

const navigation: readonly { readonly path: string; readonly name: Phrase }[] = [
  { path: '/courses', name: text.courses },
  { path: '/lecturers', name: text.lecturers },
]

/** The attributes of an element with a text of the school: its language, where the frame has another one. */
export const inSchool = ({ school, language }: FrameContext): Html =>
  languageOf(school.locale) === language && /^(?:en|pt)(?:-|$)/i.test(school.locale)
    ? html` dir="auto"`
    : html` lang="${school.locale}" dir="auto"`

/** The address at which somebody creates an account and then comes back to a page of the site. */
export const signUpPath = (returnTo: string): string =>
  `/account/sign-up?${new URLSearchParams({ return_to: returnTo })}`

const currentIn = (path: string, at: string | undefined): Html | false =>
  at !== undefined &&
  (at === path || at.startsWith(`${path}/`)) &&
  html` aria-current="${at === path ? 'page' : 'true'}"`

const headerOf = (view: SiteView, context: FrameContext): Html => {
  const { school, language } = context
  const at = view.path ?? view.returnTo
  return html`<div class="wrap">
<a class="brand" href="/"${inSchool(context)}>${school.name}</a>
<nav aria-label="${fill(text.navigation, language)}">
<ul>
${navigation.map(({ path, name }) => html`<li><a href="${path}"${currentIn(path, at)}>${fill(name, language)}</a></li>\n`)}</ul>
</nav>
<p class="entrance"><a href="/account">${fill(text.account, language)}</a>${
    school.signupMode === 'open' &&
    html` <a class="button main" href="${signUpPath(view.returnTo ?? view.path ?? '/')}">${fill(text.signUp, language)}</a>`
  }</p>
</div>`
}

const footerOf = (context: FrameContext): Html => {
  const { school, language } = context
  const links = [
    ...navigation,
    { path: '/account', name: text.account },
    { path: '/developers', name: text.developers },
  ]
  return html`<div class="wrap">
<p class="brand"${inSchool(context)}>${school.name}</p>
<nav aria-label="${fill(text.footer, language)}">
<ul>
${links.map(({ path, name }) => html`<li><a href="${path}">${fill(name, language)}</a></li>\n`)}</ul>
</nav>
<p class="quiet">${fill(text.poweredBy, language)}</p>
</div>`
}

/** One line of at most so many characters, cut at a word. */
export const shortened = (words: string, length: number): string => {
  const line = words.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  return `${line.slice(0, length).replace(/\s+\S*$/, '')}…`
}

/** A view with the header, the footer and what search engines read. */
export const framed = (view: SiteView, context: FrameContext): SitePage => {
  const { school, language } = context
  const { path, image, main, jsonLd = [] } = view
  const description = shortened(view.description ?? '', MAX_DESCRIPTION)
  const title = view.title === school.name ? school.name : `${view.title} · ${school.name}`
  const canonical = path === undefined ? undefined : `${school.baseUrl}${path}`
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
    jsonLd,
    skip: fill(text.skip, language),
    header: headerOf(view, context),
    main,
    footer: footerOf(context),
  }
}
