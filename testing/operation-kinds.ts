import type { Operation, Who } from '#src/contract/operation.ts'
import type { PersonName } from './app.ts'

/** Who of the named world stands for each kind of caller; nobody is the anonymous one. */
const kinds = {
  anonymous: undefined,
  'plain member': 'femi',
  holder: 'dev',
  'lecturer of it': 'carla',
  // A lecturer in the tests that speak of kinds: see `standIns`.
  'lecturer of another course': 'eli',
  admin: 'ben',
  owner: 'ada',
} as const satisfies Record<string, PersonName | undefined>

/** A kind of caller. */
type Kind = keyof typeof kinds

/** Whose role has to be another one than in the named world for that. */
export const standIns = { eli: 'lecturer' } as const satisfies Partial<Record<PersonName, string>>

const signedIn: readonly Kind[] = [
  'plain member',
  'holder',
  'lecturer of it',
  'lecturer of another course',
  'admin',
  'owner',
]

// One line for each lock. A room with an operation for holders or lecturers has its example be about what they hold or teach.
const passes: Readonly<Record<Who, readonly Kind[]>> = {
  anyone: ['anonymous', ...signedIn],
  self: signedIn,
  holder: ['holder', 'lecturer of it', 'admin', 'owner'],
  lecturer_of: ['lecturer of it', 'admin', 'owner'],
  staff: ['admin', 'owner'],
  owner: ['owner'],
}

// What names no course, in its path or as a must in its body, is for whoever teaches any: it shows or makes what is theirs.
const namesCourse = ({ path, body }: Pick<Operation, 'path' | 'body'>): boolean => {
  const { required = [] } = (body ?? {}) as { readonly required?: readonly string[] }
  return path.includes(':') || required.some(name => /_ids?$/.test(name))
}

/** Whether a kind of caller may call an operation, holding every scope. */
export const mayPass = (operation: Pick<Operation, 'who' | 'path' | 'body'>, kind: Kind): boolean => {
  if (kind === 'lecturer of another course' && operation.who === 'lecturer_of') return !namesCourse(operation)
  return passes[operation.who].includes(kind)
}

/** Every person that stands for a kind, with their kind. */
export const callers: readonly (readonly [kind: Kind, name: PersonName])[] = Object.entries(kinds).flatMap(
  ([kind, name]) => (name === undefined ? [] : [[kind as Kind, name] as const]),
)

// Whose example is refused whatever their role: the last owner stays.
const kept: Readonly<Record<string, PersonName>> = { createAccountDeletion: 'ada' }

/** The persons whose example of an operation is served, the one with the highest role last. */
export const passing = (operation: Operation): readonly PersonName[] =>
  callers.filter(([kind, name]) => mayPass(operation, kind) && kept[operation.id] !== name).map(([, name]) => name)
