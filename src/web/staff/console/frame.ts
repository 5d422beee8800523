import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { type ConsoleSheet, consolePage, renderBrand } from '#src/kit/html-page.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Framed,
  type PageContext,
  readScheme,
  renderForm,
  renderLanguages,
  renderNotice,
  renderTestNote,
  replyWith,
} from '#src/web/page/index.ts'
import { icons } from '../icons.ts'
import { created, type Entry, findPlace, isFor, listEntries, type Place } from './entries.ts'

const text = texts.staff.common.navigation

/** A page above another one. */
export type Parent = { readonly path: string; readonly name: string }

/** A page of the console. */
export type ConsoleView = Omit<Framed, 'school' | 'language'> & {
  /** The state of what the page is about, beside the title. */
  readonly badge?: Html | false | undefined
  /** One sentence below the title. */
  readonly lead?: string | undefined
  /** What can be done, at most one of it as the main one. */
  readonly actions?: Html | undefined
  /** The pages between the list and this one, the nearest last. */
  readonly parents?: readonly Parent[] | undefined
  /** The parts of what the page is about, as links. */
  readonly tabs?: Html | undefined
  /** What comes after what was just done, below the notice. */
  readonly onward?: Html | false | undefined
  /** Whether its parts are cards already. */
  readonly hasCards?: boolean
  /** Whether it is an editor, which has the whole width, and its title in its parts. */
  readonly isStudio?: boolean
  /** Style sheets of our own beside that of the console. */
  readonly moreStyles?: readonly ConsoleSheet[] | undefined
}

/** What the color of a state says: done, under way, waiting for you, failed, a draft, or over. */
type PillKind = 'good' | 'info' | 'warn' | 'bad' | 'hollow' | 'plain'

/** The state of something in one word, with a color. */
export const pill = (name: string, kind: PillKind = 'plain'): Html =>
  html`<span class="pill ${kind}">${name.charAt(0).toUpperCase()}${name.slice(1)}</span>`

const words: Readonly<Record<PillKind, readonly string[]>> = {
  good: [
    'active',
    'published',
    'paid',
    'open',
    'confirmed',
    'checked_in',
    'taken',
    'sent',
    'printed',
    'received',
    'live',
    'delivered',
  ],
  info: [
    'scheduled',
    'trialing',
    'completed',
    'invited',
    'upcoming',
    'not_open_yet',
    'processing',
    'partially_refunded',
  ],
  warn: [
    ...['pending', 'incomplete', 'waiting', 'submitted', 'held', 'paused', 'offered'],
    ...['waitlisted', 'awaiting_payment', 'awaiting_approval'],
  ],
  bad: ['failed', 'failing', 'past_due', 'suspended', 'suspected'],
  hollow: ['draft', 'off', 'unpublished', 'written', 'started'],
  plain: [],
}

/** A status under its name, with the color that the status has everywhere. */
export const statusPill = (name: string, status: string): Html =>
  pill(
    name,
    (Object.keys(words) as PillKind[]).find(kind => words[kind].includes(status)),
  )

/** A part of a page below its heading. */
export const card = (title: string, inside: Html): Html => html`<section class="card">
<h2>${title}</h2>
${inside}
</section>
`

/** A page with what is edited, and beside it what else can be done; without that the page is narrow. */
export const besides = (edited: Html, side: Html | false): Pick<ConsoleView, 'body' | 'isWide' | 'hasCards'> =>
  side === false
    ? { body: edited }
    : {
        isWide: true,
        hasCards: true,
        body: html`<div class="split">
<section class="card">${edited}</section>
<div class="stack">${side}</div>
</div>`,
      }

/** Links to the parts of something; `current` is the address of the part that is shown. */
export const linkTabs = (
  label: string,
  current: string,
  tabs: readonly { readonly path: string; readonly name: string; readonly count?: number | undefined }[],
): Html => html`<nav class="tabs" aria-label="${label}"><ul>
${tabs.map(({ path, name, count }) => html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${name}${count !== undefined && html` <span class="count">${count}</span>`}</a></li>\n`)}</ul></nav>
`

const renderEntry = ({ name, icon, tabs }: Entry, { t }: PageContext, place: Place | undefined): Html => {
  const isCurrent = place?.entry.icon === icon
  const isHere = place?.isTab === true && place.tab === tabs[0]
  return html`<li><a href="${tabs[0]?.path ?? '/staff'}"${isCurrent && html` aria-current="${isHere ? 'page' : 'true'}"`}>${icons[icon]}<span>${t(name)}</span></a></li>
`
}

const renderNew = ({ t, session }: PageContext): Html => {
  const links = created.filter(one => isFor(session.member.role, one))
  return html`<details class="menu wide-only" name="bar"><summary class="button small">${icons.plus}${t(text.create)}</summary>
<div><ul>
${links.map(({ path, name }) => html`<li><a href="${path}">${t(name)}</a></li>\n`)}</ul></div>
</details>`
}

const renderOwn = ({ t, session, token, language, request }: PageContext): Html => {
  const { name } = session.member
  const signOut = html`<button type="submit">${t(texts.words.signOut)}</button>`
  return html`<details class="menu" name="bar"><summary class="button bare square" aria-label="${t(texts.site.menu.account, { name })}"><span class="avatar t3" aria-hidden="true">${computeInitials(name)}</span></summary>
<div>
<p class="own-name"><bdi>${name}</bdi></p>
<ul>
<li><a href="/account">${t(texts.words.yourAccount)}</a></li>
<li><a href="/">${t(text.viewSite)}</a></li>
</ul>
${renderLanguages({ language, token, scheme: readScheme(request) ?? 'device' })}
${renderForm('/account/sign-out', token, signOut)}
</div>
</details>`
}

const renderBar = (context: PageContext): Html => {
  const { t, school, session } = context
  const search = t(text.search)
  return html`<button type="button" class="bare square nav-open" popovertarget="nav" aria-label="${t(text.menu)}">${icons.menu}</button>
${renderBrand({ name: school.name, look: school.look, href: '/staff' })}
<form class="search" action="/staff/search" role="search" aria-label="${t(text.whole)}" data-palette="${session.member.id}">${icons.search}<input type="search" name="q" maxlength="200" aria-label="${search}" placeholder="${search}"></form>
<a class="button bare square only-small" href="/staff/search" aria-label="${t(texts.words.search)}">${icons.search}</a>
${renderNew(context)}
<a class="button bare small wide-only" href="/">${icons.away}${t(text.viewSite)}</a>
${renderOwn(context)}`
}

// Lists of an entry stand beside each other; a page below one of them leads back to it.
const renderAbove = (
  { t }: PageContext,
  place: Place | undefined,
  parents: readonly Parent[] = [],
): Html | undefined => {
  if (place === undefined) return undefined
  const { entry, tab, isTab } = place
  if (isTab)
    return entry.tabs.length > 1
      ? linkTabs(
          t(entry.name),
          tab.path,
          entry.tabs.map(({ path, name }) => ({ path, name: t(name) })),
        )
      : undefined
  const above = [{ path: tab.path, name: t(tab.name) }, ...parents.filter(({ path }) => path !== tab.path)]
  return html`<nav class="crumbs" aria-label="${t(texts.staff.common.path)}"><ol>
${above.map(({ path, name }) => html`<li><a href="${path}"><bdi>${name}</bdi></a></li>\n`)}</ol></nav>
`
}

const renderStudio = (
  context: PageContext,
  { above, parents, tabs, notice, onward, body }: ConsoleView,
  place: Place | undefined,
): Html =>
  html`<div class="sub-bar">
${renderTestNote(context.school, context.language)}${above ?? renderAbove(context, place, parents)}${tabs}</div>
${notice !== undefined && html`<div class="said">${renderNotice(notice)}${onward}</div>\n`}${body}`

const renderPage = (context: PageContext, view: ConsoleView, place: Place | undefined): Html => {
  const { school, language } = context
  const {
    title,
    above,
    parents,
    badge,
    lead,
    actions,
    tabs,
    notice,
    onward,
    body,
    hasCards = false,
    isWide = false,
  } = view
  return html`<div class="page${!isWide && html` narrow`}">
${renderTestNote(school, language)}${above ?? renderAbove(context, place, parents)}
<header class="page-head"><div><div class="row"><h1>${title}</h1>${badge}</div>${lead !== undefined && html`\n<p>${lead}</p>`}</div>${actions !== undefined && html`\n<div class="row">${actions}</div>`}</header>
${notice !== undefined && renderNotice(notice)}${onward}
${tabs}${hasCards ? body : html`<div class="sheet">\n${body}\n</div>`}
</div>`
}

/** A page in the frame of the console: the bar, the navigation, and the head of the page above its content. */
export const frameInConsole = (context: PageContext, view: ConsoleView): Reply => {
  const { school, language, t, session, request } = context
  const shown = listEntries(session.member.role)
  const place = findPlace(shown, request.path)
  const { title, isStudio = false, moreStyles } = view
  return replyWith(
    { school, language, ...view },
    consolePage({
      lang: language,
      title,
      look: school.look,
      skip: t(text.skip),
      bar: renderBar(context),
      navigation: html`<nav class="nav" id="nav" popover aria-label="${t(text.label)}">
<ul>
${shown.map(entry => renderEntry(entry, context, place))}</ul>
</nav>`,
      main: isStudio ? renderStudio(context, view, place) : renderPage(context, view, place),
      moreStyles,
    }),
  )
}
