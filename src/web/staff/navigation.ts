import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { withNavigation } from '#src/kit/html-page.ts'
import { languageAt } from '#src/web/account/index.ts'
import { viewerOf } from './page-request.ts'
import { navigationOf } from './pages/navigation.ts'
import { staffText } from './pages/text.ts'
import type { StaffEntry } from './section.ts'

const { navigation: text } = staffText

/** Entries of the navigation that belong together, with a heading unless they are the first ones. */
export type NavigationGroup = {
  readonly name: (typeof text.groups)[GroupName] | undefined
  readonly entries: readonly StaffEntry[]
}

type GroupName = keyof typeof text.groups

// The order of the navigation. A section that is in no group is at the end of the last one.
const groups: readonly { readonly name?: GroupName; readonly paths: readonly string[] }[] = [
  { paths: ['search'] },
  {
    name: 'teaching',
    paths: [
      'teaching',
      'courses',
      'students',
      'enrollments',
      'grading',
      'reviews',
      'certificates',
      'categories',
      'lecturers',
    ],
  },
  { name: 'selling', paths: ['orders', 'products', 'coupons', 'payments'] },
  { name: 'site', paths: ['pages', 'appearance'] },
  { name: 'school', paths: ['people', 'invitations', 'groups', 'settings', 'integrations', 'outbox'] },
]

const wordOf = ({ path }: StaffEntry): string | undefined => /^\/staff\/([\w-]+)$/.exec(path)?.[1]

// The name of an entry with a count belongs to the first page, which has the number.
const isInNavigation = (entry: StaffEntry): boolean => wordOf(entry) !== undefined && !entry.name.en.includes('{')

const listed = groups.flatMap(({ paths }) => paths)

/** Whether people of a role can use the page of an entry. */
export const isFor = (role: Role, { least = 'admin' }: StaffEntry): boolean => isAtLeast(role, least)

/** The entries of the navigation for a role, in groups; a group without an entry is left out. */
export const groupsFor = (role: Role, all: readonly StaffEntry[]): NavigationGroup[] => {
  const entries = all.filter(entry => isInNavigation(entry) && isFor(role, entry))
  const others = entries.filter(entry => !listed.includes(wordOf(entry) ?? ''))
  return groups
    .map(({ name, paths }, at) => ({
      name: name && text.groups[name],
      entries: [
        ...paths.flatMap(path => entries.filter(entry => wordOf(entry) === path)),
        ...(at === groups.length - 1 ? others : []),
      ],
    }))
    .filter(group => group.entries.length > 0)
}

const isPage = ({ headers = {} }: Reply): boolean => String(headers['content-type'] ?? '').startsWith('text/html')

/** The endpoint with the navigation of the console on its pages, for whoever may see a page. */
export const withConsole = (endpoint: Endpoint, entries: readonly StaffEntry[]): Endpoint => ({
  ...endpoint,
  handle: async request => {
    const reply = await endpoint.handle(request)
    const viewer: Session | undefined = viewerOf(request)
    if (viewer === undefined || typeof reply.body !== 'string' || !isPage(reply)) return reply
    const language = languageAt(request, viewer)
    const navigation = navigationOf({ groups: groupsFor(viewer.member.role, entries), language, path: request.path })
    return { ...reply, body: withNavigation(reply.body, navigation) }
  },
})
