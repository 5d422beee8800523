import type { Session } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import type { Person } from './read.ts'

type Viewer = Pick<Session['member'], 'id' | 'role'>

type Act = {
  readonly name:
    | 'invite'
    | 'role'
    | 'sign_out'
    | 'hold'
    | 'lift'
    | 'suspend'
    | 'reinstate'
    | 'export'
    | 'merge'
    | 'delete'
    | 'erase'
  readonly operation: string
  /** Whether the menu offers it, by how many courses the person has; the operation decides all the same. */
  isOffered(person: Person, viewer: Viewer, courses: number): boolean
}

const allows =
  (operation: string) =>
  ({ allowed_actions: allowed = [] }: Person): boolean =>
    allowed.includes(operation)

const isTouchable = ({ role }: Person, viewer: Viewer): boolean => role !== 'owner' || viewer.role === 'owner'

const isSelf = ({ id }: Person, viewer: Viewer): boolean => id === toId('mem', viewer.id)

/** What can be done about a member, each on a page that says what it does. */
export const acts: readonly Act[] = [
  { name: 'invite', operation: 'inviteMember', isOffered: allows('inviteMember') },
  {
    name: 'role',
    operation: 'setStaffRole',
    isOffered: ({ status }, viewer) => status === 'active' && viewer.role === 'owner',
  },
  {
    name: 'sign_out',
    operation: 'deleteMemberSessions',
    isOffered: (person, viewer) => person.status === 'active' && isTouchable(person, viewer) && !isSelf(person, viewer),
  },
  {
    name: 'hold',
    operation: 'placeHold',
    isOffered: (person, viewer, courses) => courses > 0 && isTouchable(person, viewer),
  },
  // What explains the access of the person leads to it, where it says that all of it is on hold.
  { name: 'lift', operation: 'liftHold', isOffered: () => false },
  { name: 'suspend', operation: 'suspendMember', isOffered: allows('suspendMember') },
  { name: 'reinstate', operation: 'reinstateMember', isOffered: allows('reinstateMember') },
  {
    name: 'export',
    operation: 'createMemberExport',
    isOffered: (person, viewer) => person.status === 'active' && !isSelf(person, viewer),
  },
  { name: 'merge', operation: 'mergeMembers', isOffered: allows('mergeMembers') },
  { name: 'delete', operation: 'deleteMember', isOffered: allows('deleteMember') },
  { name: 'erase', operation: 'eraseMember', isOffered: allows('eraseMember') },
]

/** The name of an act. */
export type ActName = Act['name']

/** Finds an act by its name in an address. */
export const findAct = (name: string | undefined): Act | undefined => acts.find(act => act.name === name)
