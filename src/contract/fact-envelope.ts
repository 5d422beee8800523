import { toId } from '#src/kit/ids.ts'
import type { StoredFact } from './fact.ts'
import { findFactDeclaration } from './fact-types.ts'
import type { School } from './school.ts'

/** What apps are told about a fact: what it is about and its payload, and never more than the payload. */
type FactEnvelope = {
  readonly id: string
  readonly type: string
  /** When it was recorded. */
  readonly timestamp: string
  /** Its number in the school. */
  readonly sequence: number
  /** The number of the fact before it that the same receiver was sent; null: it is the first. */
  readonly previous?: number | null
  /** The origin of the school. */
  readonly school: string
  readonly subject: { readonly id: string; readonly href: string | null } | null
  readonly data: Readonly<Record<string, unknown>>
}

type Enveloped = StoredFact & { readonly recorded_at: Date; readonly is_withheld: boolean }

/** The path of the routed GET with an id, as `/courses/:course_id`; undefined for an id that no operation has. */
export type FindPath = (operationId: string) => string | undefined

const readText = (payload: Enveloped['payload'], name: string): string | undefined => {
  const value = payload[name]
  return typeof value === 'string' ? value : undefined
}

// A parameter is the field of the payload with its name; the students in paths are members.
const fillPath = (path: string, payload: Enveloped['payload'], subject: string): string | undefined => {
  const filled = path.split('/').map(part => {
    if (!part.startsWith(':')) return part
    const name = part.slice(1)
    if (name === 'student_id') return readText(payload, 'member_id')
    return readText(payload, name) ?? (path.indexOf(':') === path.lastIndexOf(':') ? subject : undefined)
  })
  return filled.includes(undefined) ? undefined : filled.join('/')
}

/** The address of what a fact is about, below the API of its school; null where nothing reads it. */
const findHref = (
  { baseUrl }: Pick<School, 'baseUrl'>,
  readBy: string | null,
  { payload }: Enveloped,
  subject: string,
  findPath: FindPath,
): string | null => {
  const path = readBy === null ? undefined : findPath(readBy)
  const filled = path === undefined ? undefined : fillPath(path, payload, subject)
  return filled === undefined ? null : `${baseUrl}/api/v1${filled}`
}

/**
 * The envelope of a numbered fact, the same for webhooks and the feed of changes, which has no `previous`; undefined for facts
 * that leave no school: internal ones, and those that are not as their type declares.
 */
export const buildEnvelope = (
  school: Pick<School, 'baseUrl'>,
  fact: Enveloped,
  findPath: FindPath,
  previous?: number | null,
): FactEnvelope | undefined => {
  // Those of types that are not declared leave no school.
  const declared = findFactDeclaration(fact.type)
  if (fact.is_withheld || declared === undefined || declared.scope === 'internal') return undefined
  const id = declared.subject === null ? undefined : readText(fact.payload, declared.subject)
  return {
    id: toId('fct', fact.id),
    type: fact.type,
    timestamp: fact.recorded_at.toISOString(),
    sequence: Number(fact.sequence),
    ...(previous === undefined ? {} : { previous }),
    school: school.baseUrl,
    subject: id === undefined ? null : { id, href: findHref(school, declared.readBy, fact, id, findPath) },
    data: fact.payload,
  }
}
