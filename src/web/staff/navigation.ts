import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { Endpoint, EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { withNavigation } from '#src/kit/html-page.ts'
import { languageAt } from '#src/web/page/index.ts'
import { takeViewer } from './page-request.ts'
import { buildNavigation } from './pages/navigation.ts'
import { staffText } from './pages/text.ts'
import type { NavigationGroup, StaffEntry } from './section.ts'

const { navigation: text } = staffText

type GroupName = keyof typeof text.groups

// The order of the navigation. A section that is in no group is at the end of the last one.
const groups: readonly { readonly name?: GroupName; readonly paths: readonly string[] }[] = [
  { paths: ['search'] },
  {
    name: 'teaching',
    paths: [
      ...['teaching', 'courses', 'students', 'grading', 'reviews', 'comments'],
      ...['groups', 'categories', 'lecturers', 'certificates'],
    ],
  },
  { name: 'selling', paths: ['orders', 'subscriptions', 'events', 'products', 'plans', 'coupons', 'payments'] },
  { name: 'site', paths: ['pages', 'posts', 'forms', 'appearance'] },
  { name: 'school', paths: ['analytics', 'people', 'invitations', 'settings', 'integrations', 'outbox'] },
]

const parseWord = ({ path }: StaffEntry): string => path.split('/')[2] ?? ''

// The name of an entry with a count belongs to the first page, which has the number.
const isInNavigation = ({ path, name }: StaffEntry): boolean => /^\/staff\/[\w-]+$/.test(path) && !name.en.includes('{')

const listed = groups.flatMap(({ paths }) => paths)

/** Whether people of a role can use the page of an entry. */
export const isFor = (role: Role, { least = 'admin' }: StaffEntry): boolean => isAtLeast(role, least)

/** The entries for a role, in the groups of the navigation; a group without an entry is left out. */
export const groupsFor = (role: Role, all: readonly StaffEntry[]): NavigationGroup[] => {
  const entries = all.filter(entry => isFor(role, entry))
  const others = entries.filter(entry => !listed.includes(parseWord(entry)))
  return groups
    .map(({ name, paths }, at) => ({
      name: name && text.groups[name],
      entries: [
        ...paths.flatMap(path => entries.filter(entry => parseWord(entry) === path)),
        ...(at === groups.length - 1 ? others : []),
      ],
    }))
    .filter(group => group.entries.length > 0)
}

const isPage = ({ headers = {} }: Reply): boolean => String(headers['content-type'] ?? '').startsWith('text/html')

const addNavigation = (request: EndpointRequest, reply: Reply, entries: readonly StaffEntry[]): Reply => {
  const viewer = takeViewer(request)
  if (viewer === undefined || typeof reply.body !== 'string' || !isPage(reply)) return reply
  const language = languageAt(request, viewer)
  const groups = groupsFor(viewer.member.role, entries.filter(isInNavigation))
  const navigation = buildNavigation({ groups, language, path: request.path })
  return { ...reply, body: withNavigation(reply.body, navigation) }
}

/** The endpoint with the navigation of the console on its pages, for whoever may see a page. */
export const withConsole = (endpoint: Endpoint, entries: readonly StaffEntry[]): Endpoint => {
  const { handle, showKept } = endpoint
  return {
    ...endpoint,
    handle: async request => addNavigation(request, await handle(request), entries),
    ...(showKept && {
      showKept: async (request, show) => addNavigation(request, await showKept(request, show), entries),
    }),
  }
}
