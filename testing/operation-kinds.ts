import type { Operation, Who } from '#src/contract/operation.ts'
import type { PersonName } from './app.ts'
import { pick } from './share.ts'

/** The person of the demo data for each kind of caller; the anonymous caller has none. */
const kinds = {
  anonymous: undefined,
  'plain member': 'femi',
  holder: 'dev',
  'lecturer of it': 'carla',
  // A lecturer in the tests of kinds: see `standIns`.
  'lecturer of another course': 'eli',
  admin: 'ben',
  owner: 'ada',
} as const satisfies Record<string, PersonName | undefined>

/** A kind of caller. */
type Kind = keyof typeof kinds

/** The persons who need another role than in the demo data for that. */
export const standIns = { eli: 'lecturer' } as const satisfies Partial<Record<PersonName, string>>

const signedIn: readonly Kind[] = [
  'plain member',
  'holder',
  'lecturer of it',
  'lecturer of another course',
  'admin',
  'owner',
]

// One line for each rule. The example of an operation for holders or lecturers is about what they hold or teach.
const passes: Readonly<Record<Who, readonly Kind[]>> = {
  anyone: ['anonymous', ...signedIn],
  self: signedIn,
  holder: ['holder', 'lecturer of it', 'admin', 'owner'],
  lecturer_of: ['lecturer of it', 'admin', 'owner'],
  staff: ['admin', 'owner'],
  owner: ['owner'],
}

// An operation that requires no course in its path or body is for every lecturer: it shows or creates what is theirs. A
// `name` in a path, as that of a report, is no course.
const namesCourse = ({ path, body }: Pick<Operation, 'path' | 'body'>): boolean => {
  const { required = [] } = (body ?? {}) as { readonly required?: readonly string[] }
  return /:(?!name\b)/.test(path) || required.some(name => /_ids?$/.test(name))
}

/** Tells whether a kind of caller with every scope may call an operation. */
export const mayPass = (operation: Pick<Operation, 'who' | 'path' | 'body'>, kind: Kind): boolean => {
  if (kind === 'lecturer of another course' && operation.who === 'lecturer_of') return !namesCourse(operation)
  return passes[operation.who].includes(kind)
}

/** Every person who represents a kind, with their kind. */
export const callers: readonly (readonly [kind: Kind, name: PersonName])[] = Object.entries(kinds).flatMap(
  ([kind, name]) => (name === undefined ? [] : [[kind as Kind, name] as const]),
)

/** Returns those who try an operation: in `npm test` those on both sides of the rule, the last kind that is refused and the first that passes. */
export const listCallers = (operation: Pick<Operation, 'who' | 'path' | 'body'>): typeof callers => {
  const [last] = callers.filter(([kind]) => !mayPass(operation, kind)).slice(-1)
  const [first] = callers.filter(([kind]) => mayPass(operation, kind))
  return pick({ whole: callers, part: [last, first].filter(one => one !== undefined) })
}

// The person whose example is refused whatever their role: the last owner cannot leave.
const kept: Readonly<Record<string, PersonName>> = { createAccountDeletion: 'ada' }

/** Returns the persons who may call the example of an operation, the one with the highest role last. */
export const passing = (operation: Operation): readonly PersonName[] =>
  callers.filter(([kind, name]) => mayPass(operation, kind) && kept[operation.id] !== name).map(([, name]) => name)
