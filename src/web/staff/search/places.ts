import { fold } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { entries, isFor, type Tab } from '../console/entries.ts'
import { parts } from '../school/settings/parts.ts'
import type { Hit } from './kinds.ts'

const { actions } = texts.staff.search
const { common } = texts.staff.settings
const least = 'lecturer'

/** What one can do from everywhere. */
const acts: readonly Tab[] = [
  { path: '/staff/courses/new', name: texts.words.createCourse, least },
  { path: '/staff/people/new', name: actions.person },
  { path: '/staff/invitations', name: texts.words.inviteSomebody },
  { path: '/staff/imports/new?kind=people', name: texts.staff.imports.create.people },
  { path: '/staff/imports/new?kind=learning', name: texts.staff.imports.create.learning, least },
  { path: '/staff/events/new', name: actions.event, least },
  { path: '/staff/posts/new', name: actions.post, least },
  { path: '/staff/pages#new-page', name: actions.page },
  { path: '/staff/products/new', name: actions.product },
  { path: '/staff/plans/new', name: actions.plan },
  { path: '/staff/coupons/new', name: actions.coupon },
  { path: '/staff/grading', name: actions.grade, least },
  { path: '/staff/settings/mail', name: texts.staff.standing.mail.send },
  { path: '/staff/guide', name: texts.staff.home.guide.title },
]

// The pages of the navigation, and those of the settings.
const places: readonly Tab[] = [
  ...entries.flatMap(({ tabs }) => tabs),
  ...parts.map(({ word, title }): Tab => ({ path: `/staff/settings/${word}`, name: title })),
  { path: '/staff/settings/mail', name: texts.staff.standing.mail.title },
  { path: '/staff/settings/domain', name: texts.staff.standing.domain.title },
  { path: '/staff/settings/terms', name: texts.staff.standing.terms.title },
]

const hasWords = (name: string, words: readonly string[]): boolean => {
  const folded = ` ${fold(name)}`
  return words.every(word => folded.includes(` ${word}`))
}

const pick = (all: readonly Tab[], q: string, { t, session }: StaffContext): Hit[] => {
  const words = fold(q)
    .split(/\s+/)
    .filter(word => word !== '')
  const found = all
    .filter(tab => isFor(session.member.role, tab))
    .map(({ path, name }) => ({ href: path, name: t(name), about: '' }))
    .filter(({ name }) => hasWords(name, words))
  return found.filter(({ href, name }, at) => at === found.findIndex(one => one.href === href || one.name === name))
}

/** The actions whose names have these words; without any word all that the person may do. */
export const findActions = (context: StaffContext, q: string): Hit[] => pick(acts, q, context)

/** The pages of the console whose names have these words. */
export const findPlaces = (context: StaffContext, q: string): Hit[] =>
  pick(places, q, context).map(hit => ({
    ...hit,
    about: hit.href.startsWith('/staff/settings/') ? context.t(common.name) : '',
  }))
