import { RegistrationPage } from '#src/areas/events/index.ts'
import { CertificatePage, clockNow, EnrollmentPage, sortToContinue } from '#src/areas/learning/index.ts'
import { SubscriptionPage } from '#src/areas/memberships/index.ts'
import { Account } from '#src/areas/people/index.ts'
import { AccountDownloadPage, OrderPage, PaymentMethodPage } from '#src/areas/shop/index.ts'
import type { Language, Phrase } from '#src/contract/language.ts'
import { notifications } from '#src/contract/mail.ts'
import { hasPassword, listApps, listSessions } from '#src/identity/index.ts'
import { formatLeaf, formatPercent } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { icon } from '#src/web/icon.ts'
import { orderPath } from './orders/index.ts'
import type { AccountContext } from './parts.ts'
import { describeSaved } from './payment-methods.ts'
import { formatDates, type OwnRegistration, registrationPath } from './registrations/index.ts'
import { addReviews, readReviews } from './reviews.ts'

const { home: text, text: account } = texts.account

// A row, with the next date where there is one.
const SHOWN_CARDS = 3
const ENDED: readonly string[] = ['canceled', 'expired', 'completed']
// The newest one, and how many there are.
const counted = [
  ['limit', '1'],
  ['include_total', 'true'],
] as const

const list = [['limit', '100']] as const

const readPurchases = ({ call }: AccountContext) =>
  Promise.all([
    call({ operation: 'listAccountOrders', query: counted, returns: OrderPage }),
    call({ operation: 'listAccountOrders', query: [...counted, ['status', 'pending']], returns: OrderPage }),
    call({ operation: 'listAccountSubscriptions', query: list, returns: SubscriptionPage }),
  ])

const readOwned = ({ call }: AccountContext) =>
  Promise.all([
    call({ operation: 'listAccountPaymentMethods', returns: PaymentMethodPage }),
    call({ operation: 'listAccountCertificates', query: counted, returns: CertificatePage }),
    call({ operation: 'listAccountDownloads', query: list, returns: AccountDownloadPage }),
  ])

// Three at a time: a process has few connections, and everybody who signs in comes here.
const readLists = async (context: AccountContext) => {
  const { call } = context
  const confirmed = [...list, ['status', 'confirmed']] as const
  const [enrollments, registrations, reviews] = await Promise.all([
    call({ operation: 'listAccountEnrollments', query: list, expand: ['course'], returns: EnrollmentPage }),
    call({ operation: 'listAccountRegistrations', query: confirmed, returns: RegistrationPage }),
    readReviews(context),
  ])
  const [orders, waiting, subscriptions] = await readPurchases(context)
  const [methods, certificates, downloads] = await readOwned(context)
  const { notifications } = await call({ operation: 'getAccount', returns: Account })
  const reviewed = addReviews(enrollments.data, reviews)
  return {
    enrollments: enrollments.data,
    orders,
    waiting,
    running: subscriptions.data.filter(({ status }) => !ENDED.includes(status)),
    methods: methods.data,
    certificates,
    registrations: registrations.data,
    downloads: downloads.data,
    unreviewed: reviewed.filter(({ isCompleted, review }) => isCompleted && review === undefined),
    reviews,
    notifications,
  }
}

const compareStarts = (one: OwnRegistration, other: OwnRegistration): number =>
  Date.parse(one.starts_at.utc) - Date.parse(other.starts_at.utc)

/** What the first page of an account shows, read with the lists that its tiles lead to. */
export const readHome = async (context: AccountContext) => {
  const { request, school, viewer } = context
  const { enrollments, registrations, ...lists } = await readLists(context)
  const [now, sessions, apps, hasOne] = await request.database.statements(school.id, db =>
    Promise.all([
      clockNow(db),
      listSessions(db, school.id, viewer.id),
      listApps(db, school.id, viewer.id),
      hasPassword(db, school.id, viewer.id),
    ]),
  )
  const open = enrollments.filter(({ access }) => access.state === 'active')
  return {
    ...lists,
    courses: sortToContinue(open),
    coming: registrations.filter(one => Date.parse(one.starts_at.utc) > now.getTime()).toSorted(compareStarts),
    sessions,
    apps,
    hasPassword: hasOne,
  }
}

type Home = Awaited<ReturnType<typeof readHome>>

type Enrolled = Home['courses'][number]

const WIDTHS = [320, 640]

const picture = (image: NonNullable<NonNullable<Enrolled['course']>['image']>): Html => {
  const at = (width: number): string => `${image.url}${image.url.includes('?') ? '&' : '?'}width=${width}`
  return html`<img src="${at(640)}" srcset="${WIDTHS.map(width => `${at(width)} ${width}w`).join(', ')}" sizes="(min-width: 50rem) 17rem, 92vw" alt="" width="640" height="427">\n`
}

const chooseAction = ({ completed_at: at, percent_complete: percent }: Enrolled): Phrase => {
  if (at !== null) return texts.words.open
  return percent === 0 ? texts.words.start : texts.words.continue
}

const courseCard = (one: Enrolled, { t, day, language }: AccountContext): Html => {
  const { course, course_id: id, course_name: name, completed_at: at, percent_complete: percent } = one
  const path = `/learn/${course?.slug ?? id}`
  const lesson = one.current_lesson_id
  const action = t(chooseAction(one))
  const share = formatPercent(percent, language)
  return html`<li class="own-card">
${course?.image != null && picture(course.image)}<h3><a href="${path}"><bdi>${name}</bdi></a></h3>
${at !== null && html`<p class="quiet">${t(text.completed, { day: day(at) })}</p>\n`}<p class="own-foot"><span class="share"><progress max="100" value="${percent}" aria-label="${t(text.progress, { course: name })}">${share}</progress> ${share}</span> <a class="button small${at === null && ' main'}" href="${at === null ? `${path}${lesson === null ? '?start=' : `/${lesson}`}` : path}" aria-label="${action}: ${name}">${action}</a></p>
</li>
`
}

// Month and day where the event is; the sentence below has all of it.
const dateBadge = ({ starts_at: { utc, time_zone: zone } }: OwnRegistration, language: Language): Html => {
  const { month, day } = formatLeaf(utc, zone, language)
  return html`<time class="date" datetime="${utc}" aria-hidden="true"><span>${month}</span><b>${day}</b></time>\n`
}

const dateCard = (one: OwnRegistration, { t, language }: AccountContext): Html => html`<li class="own-card">
${dateBadge(one, language)}<h3><a href="${registrationPath(one)}"><bdi>${one.event_name}</bdi></a></h3>
<p class="quiet"><time datetime="${one.starts_at.utc}">${formatDates(one, language)}</time></p>
<p class="own-foot"><a class="button small" href="/account/calendar">${t(text.calendar)}</a></p>
</li>
`

/** What the person was doing: their courses, those that are not completed first, and their next date. */
export const coursesPart = ({ courses, coming: [next] }: Home, context: AccountContext): Html => {
  const { t } = context
  const shown = courses.slice(0, next === undefined ? SHOWN_CARDS : SHOWN_CARDS - 1)
  const more = courses.length > shown.length && html`<a href="/learn">${t(text.allCourses, { n: courses.length })}</a>`
  return html`<section aria-labelledby="courses">
<h2 id="courses">${t(texts.words.yourCourses)}</h2>
${
  courses.length === 0 && next === undefined
    ? html`<p>${t(texts.account.courses.none)} <a href="/courses">${t(texts.words.seeAllCourses)}</a></p>`
    : html`<ul class="own-cards">
${shown.map(one => courseCard(one, context))}${next !== undefined && dateCard(next, context)}</ul>
${more}`
}
</section>`
}

/** A tile: where it leads, what it is called, and what is there now. */
export type Tile = readonly [path: string, name: string, about: string]

/** What waits for the person to pay it. */
export const waitingTiles = ({ waiting }: Home, { t, money, time }: AccountContext): readonly Tile[] => {
  const [order] = waiting.data
  const n = waiting.total ?? 0
  if (order === undefined) return []
  const { number, total, currency, expires_at: until } = order
  const facts = { number, amount: money(total, currency) }
  const about = until === null ? t(text.waitingOrder, facts) : t(text.waitingUntil, { ...facts, until: time(until) })
  return [[n === 1 ? orderPath(order) : '/account/orders', t(text.waiting, { n }), about]]
}

const describeOrders = ({ orders }: Home, { t, day }: AccountContext): string => {
  const [newest] = orders.data
  return newest === undefined
    ? t(texts.account.order.none)
    : t(text.orders, { n: orders.total ?? 0, day: day(newest.created_at) })
}

const describeDate = ({ coming: [next] }: Home, { t, language }: AccountContext): string =>
  next === undefined ? t(account.parts.registrationsAbout) : `${next.event_name}, ${formatDates(next, language)}`

const describeReviews = ({ unreviewed, reviews }: Home, { t }: AccountContext): string => {
  if (unreviewed.length > 0) return t(text.unreviewed, { n: unreviewed.length })
  return reviews.length > 0 ? t(text.reviewed, { n: reviews.length }) : t(texts.words.none)
}

const describeCertificates = ({ certificates: { total } }: Home, { t }: AccountContext): string =>
  total === undefined || total === 0 ? t(texts.words.none) : t(text.certificates, { n: total })

const listNames = (names: readonly string[], none: string): string => (names.length === 0 ? none : names.join(', '))

/** What a person has and did, with what is there now. */
export const learningTiles = (home: Home, context: AccountContext): readonly Tile[] => {
  const { t } = context
  const { running, methods, downloads } = home
  const plans = running.map(({ item }) => item.name)
  return [
    ['/account/registrations', t(texts.words.yourRegistrations), describeDate(home, context)],
    ['/account/calendar', t(texts.words.yourCalendar), t(account.parts.calendarAbout)],
    ['/account/orders', t(texts.words.yourOrders), describeOrders(home, context)],
    ['/account/subscriptions', t(texts.words.yourSubscriptions), listNames(plans, t(texts.words.none))],
    [
      '/account/payment-methods',
      t(texts.account.paymentMethods.title),
      listNames(methods.map(describeSaved), t(texts.words.none)),
    ],
    ['/account/certificates', t(texts.account.certificates.title), describeCertificates(home, context)],
    [
      '/account/downloads',
      t(texts.words.yourDownloads),
      listNames(
        downloads.map(({ name }) => name),
        t(texts.words.none),
      ),
    ],
    ['/account/reviews', t(texts.account.reviews.title), describeReviews(home, context)],
    ['/account/comments', t(texts.words.yourComments), t(account.parts.commentsAbout)],
  ]
}

/** Who a person is here, how they sign in, and what is stored about them. */
export const personTiles = (home: Home, { t, viewer }: AccountContext): readonly Tile[] => {
  const { sessions, apps, notifications: chosen, hasPassword: hasOne } = home
  const wanted = notifications.filter(({ key }) => chosen[key]).length
  const email = viewer.emailVerified ? account.parts.email : account.parts.confirm
  return [
    ['/account/email', t(email), viewer.email],
    ['/account/emails', t(texts.words.emailsYouReceive), t(text.emails, { n: wanted, of: notifications.length })],
    ['/account/password', t(texts.words.changePassword), t(hasOne ? account.parts.passwordAbout : text.noPassword)],
    ['/account/sessions', t(account.parts.sessions), t(text.sessions, { n: sessions.length })],
    [
      '/account/apps',
      t(texts.words.connectedApps),
      listNames(
        apps.map(({ name }) => name || t(texts.account.apps.unnamed)),
        t(texts.words.none),
      ),
    ],
    ['/account/data', t(texts.account.data.title), t(text.data)],
  ]
}

const work = icon('M4 21h16M6 21V10M10 21V10M14 21V10M18 21V10M4 7l8-4 8 4v2H4z')
const orders = icon(
  'M5 3l2 1.5L9.5 3 12 4.5 14.5 3 17 4.5 19 3v18l-2-1.5-2.5 1.5-2.5-1.5-2.5 1.5L7 19.5 5 21zM9 9h6M9 13h6',
)

// By the page to which a tile leads; that of an order has the one of all orders.
const tileIcons: Readonly<Record<string, Html>> = {
  '/staff': work,
  '/staff/teaching': work,
  '/account/registrations': icon('M3 9a3 3 0 0 1 0 6v3h18v-3a3 3 0 0 1 0-6V6H3zM14 6v12'),
  '/account/calendar': icon('M4 6h16v14H4zM4 10h16M8 3v4M16 3v4'),
  '/account/orders': orders,
  '/account/subscriptions': icon('M17 2l4 4-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 0 1-4 4H3'),
  '/account/payment-methods': icon('M3 5h18v14H3zM3 10h18M6 15h3'),
  '/account/certificates': icon('M12 14a6 6 0 1 1 0-12 6 6 0 0 1 0 12zM9 13l-1.5 9 4.5-3 4.5 3L15 13'),
  '/account/downloads': icon('M12 4v11M8 11l4 4 4-4M5 20h14'),
  '/account/reviews': icon('M12 3l2.8 5.7 6.2.9-4.5 4.4 1.1 6.2L12 17.3 6.4 20.2l1.1-6.2L3 9.6l6.2-.9z'),
  '/account/comments': icon('M4 5h16v12H9l-5 4z'),
  '/account/email': icon('M2 5h20v14H2zM2 7l10 6 10-6'),
  '/account/emails': icon('M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4'),
  '/account/password': icon('M5 11h14v10H5zM8 11V7a4 4 0 0 1 8 0v4'),
  '/account/sessions': icon('M3 4h18v12H3zM8 20h8M12 16v4'),
  '/account/apps': icon('M12 22v-5M15 8V2M9 8V2M6 8h12v5a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4z'),
  '/account/data': icon('M4 5c0-4 16-4 16 0v14c0 4-16 4-16 0zM4 5c0 4 16 4 16 0M4 12c0 4 16 4 16 0'),
}

/** Some tiles below a heading; `isUrgent` marks what waits for the person. */
export const tileList = (tiles: readonly Tile[], isUrgent = false): Html =>
  html`<ul class="tiles">
${tiles.map(([path, name, about]) => html`<li${isUrgent && html` class="urgent"`}>${tileIcons[path] ?? orders}<a href="${path}">${name}</a><span class="quiet"><bdi>${about}</bdi></span></li>\n`)}</ul>
`
