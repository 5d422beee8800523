import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import type { icons } from '../icons.ts'
import type { StaffRole } from '../section.ts'

/** A list or a form of the console that is one click below an entry of its navigation. */
export type Tab = {
  readonly path: `/staff${string}`
  readonly name: Phrase
  /** The role with the fewest rights that can use it; unset: admins. */
  readonly least?: StaffRole
}

/** An entry of the navigation: its first page that a person can use is where it leads. */
export type Entry = {
  readonly name: Phrase
  readonly icon: keyof typeof icons
  readonly tabs: readonly Tab[]
}

const { entries: names, tabs: text } = texts.staff.common.navigation
const least = 'lecturer'

/** The eight entries of the console. */
export const entries: readonly Entry[] = [
  {
    name: names.home,
    icon: 'home',
    tabs: [
      { path: '/staff', name: names.home, least },
      { path: '/staff/teaching', name: text.teaching, least },
    ],
  },
  {
    name: names.courses,
    icon: 'courses',
    tabs: [
      { path: '/staff/courses', name: names.courses, least },
      { path: '/staff/grading', name: text.grading, least },
      { path: '/staff/comments', name: text.comments, least },
      { path: '/staff/reviews', name: text.reviews, least },
      { path: '/staff/categories', name: text.categories },
      { path: '/staff/certificates', name: text.certificates },
      { path: '/staff/bin', name: text.bin, least },
    ],
  },
  {
    name: names.people,
    icon: 'people',
    tabs: [
      { path: '/staff/people', name: text.everyone },
      { path: '/staff/students', name: text.students, least },
      { path: '/staff/enrollments', name: texts.staff.lists.enrollments.title, least },
      { path: '/staff/lecturers', name: text.lecturers, least },
      { path: '/staff/groups', name: text.groups },
      { path: '/staff/invitations', name: text.invitations },
      { path: '/staff/segments', name: texts.staff.segments.title },
      { path: '/staff/imports', name: texts.staff.imports.common.title, least },
    ],
  },
  {
    name: names.sales,
    icon: 'sales',
    tabs: [
      { path: '/staff/orders', name: text.orders },
      { path: '/staff/invoices', name: texts.words.invoices },
      { path: '/staff/subscriptions', name: text.subscriptions },
      { path: '/staff/products', name: text.products },
      { path: '/staff/plans', name: text.plans },
      { path: '/staff/coupons', name: text.coupons },
    ],
  },
  { name: names.events, icon: 'events', tabs: [{ path: '/staff/events', name: names.events, least }] },
  {
    name: names.site,
    icon: 'site',
    tabs: [
      { path: '/staff/pages', name: text.pages },
      { path: '/staff/posts', name: text.posts, least },
      { path: '/staff/forms', name: text.forms },
      { path: '/staff/appearance', name: text.appearance },
      { path: '/staff/files', name: texts.words.files, least },
    ],
  },
  {
    name: names.insights,
    icon: 'insights',
    tabs: [
      { path: '/staff/analytics', name: names.insights, least },
      { path: '/staff/analytics/reports', name: texts.staff.analytics.common.reports, least },
    ],
  },
  {
    name: names.settings,
    icon: 'settings',
    tabs: [
      { path: '/staff/settings', name: names.settings },
      { path: '/staff/payments', name: text.payments, least: 'owner' },
      { path: '/staff/integrations', name: text.apps, least: 'owner' },
      { path: '/staff/webhooks', name: texts.staff.webhooks.common.title },
      { path: '/staff/confirmations', name: text.approvals },
      { path: '/staff/outbox', name: text.outbox },
      { path: '/staff/fields', name: text.fields },
      { path: '/staff/history', name: text.history },
    ],
  },
]

/** What can be made from every page. */
export const created: readonly Tab[] = [
  { path: '/staff/courses/new', name: text.course, least },
  { path: '/staff/people/new', name: text.person },
  { path: '/staff/events/new', name: text.event, least },
  { path: '/staff/posts/new', name: text.post, least },
  { path: '/staff/products/new', name: text.product },
  { path: '/staff/coupons/new', name: text.coupon },
  { path: '/staff/imports/new', name: texts.staff.imports.common.start, least },
]

/** Whether people of a role can use a page. */
export const isFor = (role: Role, { least: needed = 'admin' }: Pick<Tab, 'least'>): boolean => isAtLeast(role, needed)

/** The entries of a role, each with the pages that it can use. */
export const listEntries = (role: Role): readonly Entry[] =>
  entries
    .map(entry => ({ ...entry, tabs: entry.tabs.filter(tab => isFor(role, tab)) }))
    .filter(({ tabs }) => tabs.length > 0)

/** Where a page is: its entry, and the page of the entry that it is or that is above it. */
export type Place = { readonly entry: Entry; readonly tab: Tab; readonly isTab: boolean }

const isBelow = (path: string, above: string): boolean => above !== '/staff' && path.startsWith(`${above}/`)

/** Finds the entry of a path, by the nearest of its pages; undefined for a page of none, such as the search. */
export const findPlace = (shown: readonly Entry[], path: string): Place | undefined =>
  shown
    .flatMap(entry => entry.tabs.map(tab => ({ entry, tab, isTab: tab.path === path })))
    .filter(({ tab, isTab }) => isTab || isBelow(path, tab.path))
    .reduce<Place | undefined>(
      (best, one) => (best !== undefined && best.tab.path.length >= one.tab.path.length ? best : one),
      undefined,
    )
