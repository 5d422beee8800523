import { CoursePage } from '#src/areas/courses/index.ts'
import { GroupPage } from '#src/areas/learning/index.ts'
import { MemberPage, statuses, TagPage } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import { inEach, type Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { createList } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'

const { people: text, statusNames, roleNames } = staffText
const own = texts.staff.peopleList

/** The address of the list of people. */
export const PEOPLE = '/staff/people'

// As the address of the list names them.
const filterNames = ['q', 'status', 'role', 'course_id', 'tag', 'group_id', 'seen'] as const

type FilterName = (typeof filterNames)[number]

// How long ago people were seen last: within so many days, or not for so many.
const SEEN = { '7': own.seen.within7, '30': own.seen.within30, '-30': own.seen.notFor30, '-90': own.seen.notFor90 }

const readSeen = (value: string): Pairs => {
  const days = Number(value)
  return days < 0 ? [['not_seen_for_days', String(-days)]] : [['seen_within_days', value]]
}

/** The filters that an address or a form has; empty ones do not filter. */
export const readGiven = (has: (name: string) => string | null | undefined): Pairs =>
  filterNames.map(name => [name, (has(name) ?? '').trim()] as const).filter(([, value]) => value !== '')

/** Filters as the operations take them: conditions by their names. */
export const buildConditions = (given: Pairs): Readonly<Record<string, string | number>> => {
  const seen = formField(given, 'seen')
  const plain = given.filter(([name]) => name !== 'seen')
  return {
    ...Object.fromEntries(plain),
    ...Object.fromEntries((seen === '' ? [] : readSeen(seen)).map(([name, days]) => [name, Number(days)])),
  }
}

/** The filters of the list for conditions that were saved; what the list has no filter for is left out. */
export const buildGiven = (filter: Readonly<Record<string, unknown>>): Pairs => {
  const { seen_within_days: within, not_seen_for_days: notFor } = filter
  const seen: Pairs = [
    ...(within === undefined ? [] : [['seen', String(within)] as const]),
    ...(notFor === undefined ? [] : [['seen', `-${notFor}`] as const]),
  ]
  return [...filterNames.flatMap((name): Pairs => (name in filter ? [[name, String(filter[name])]] : [])), ...seen]
}

type Named = Readonly<Record<string, Phrase>>

const nameAll = (all: readonly { readonly value: string; readonly name: string }[]): Named =>
  Object.fromEntries(all.map(({ value, name }) => [value, inEach(() => name)]))

const most: Pairs = [['limit', '100']]

// Three lists of names, each in one statement.
const readNames = async ({ call }: StaffContext) => {
  const [courses, tags, groups] = await Promise.all([
    call({ operation: 'listCourses', query: [...most, ['sort', 'name']], returns: CoursePage }),
    call({ operation: 'listMemberTags', query: most, returns: TagPage }),
    call({ operation: 'listGroups', query: most, returns: GroupPage }),
  ])
  return {
    course_id: nameAll(courses.data.map(({ id, name }) => ({ value: id, name }))),
    tag: nameAll(tags.data.map(({ tag }) => ({ value: tag, name: tag }))),
    group_id: nameAll(groups.data.map(({ id, name }) => ({ value: id, name }))),
  }
}

const pick = <Name extends string>(names: readonly Name[], phrases: Readonly<Record<Name, Phrase>>): Named =>
  Object.fromEntries(names.map(name => [name, phrases[name]]))

/** A filter that was given stays one that can be removed, also where the list has no name for its value. */
const withGiven = (named: Named, value: string): Named =>
  value === '' || Object.hasOwn(named, value) ? named : { ...named, [value]: inEach(() => value) }

/** The list of people with its filters, of which some have the names of what the school has. */
export const createPeopleList = async (context: StaffContext) => {
  const names = await readNames(context)
  const chosen = (name: FilterName): string => context.query.get(name)?.trim() ?? ''
  return createList({
    path: PEOPLE,
    operation: 'listMembers',
    returns: MemberPage,
    expand: ['latest_course', 'spent'],
    sort: 'name',
    filters: {
      q: 'search',
      status: pick(statuses, statusNames),
      role: pick(roles, roleNames),
      course_id: withGiven(names.course_id, chosen('course_id')),
      tag: withGiven(names.tag, chosen('tag')),
      group_id: withGiven(names.group_id, chosen('group_id')),
      seen: withGiven(SEEN, chosen('seen')),
    },
    asQuery: { seen: readSeen },
    texts: {
      filters: {
        q: own.search,
        status: text.filters.status,
        role: text.filters.role,
        course_id: texts.words.course,
        tag: own.tag,
        group_id: own.group,
        seen: staffText.person.seen,
      },
      all: texts.words.people,
      found: text.found,
      none: text.none,
      empty: text.none,
    },
  })
}
