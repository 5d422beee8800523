import { fromId, type IdPrefix, toId } from '#src/kit/ids.ts'
import type { Caller } from './caller.ts'
import type { Statement } from './db.ts'
import { hook } from './hook.ts'

const PREFIXES = { post: 'pst', course: 'crs', lesson: 'les', event: 'evt' } as const satisfies Readonly<
  Record<string, IdPrefix>
>

/** A kind of thing that people can comment on. */
export type SubjectType = keyof typeof PREFIXES

/** The kinds of things that people can comment on. */
export const subjectTypes = Object.keys(PREFIXES) as readonly SubjectType[]

/** Something that people can comment on, by the id of its row. */
export type Subject = { readonly type: SubjectType; readonly id: string }

/** The regular expression of a subject on the wire: an id, or its kind, a colon and the id. */
export const subjectPattern = `^(${Object.entries(PREFIXES)
  .map(([type, prefix]) => `(${type}:)?${prefix}`)
  .join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** The id of a subject on the wire. */
export const subjectId = ({ type, id }: Subject): string => toId(PREFIXES[type], id)

/** The subject of a text of the form of `subjectPattern`; undefined for other texts. */
export const parseSubject = (text: string): Subject | undefined => {
  const wire = text.slice(text.indexOf(':') + 1)
  const type = subjectTypes.find(name => wire.startsWith(`${PREFIXES[name]}_`))
  const id = type && fromId(PREFIXES[type], wire)
  return type && id ? { type, id } : undefined
}

/** A subject as somebody who may read it now sees it. */
export type SubjectView = {
  readonly name: string
  /** Its page on the site, where its comments are shown. */
  readonly path: string
  /** Its own switch: whether comments are accepted, only shown, or neither. */
  readonly comments: 'open' | 'closed' | 'off'
  /** The members who answer for it, such as the lecturers of a course. */
  readonly lecturerIds: readonly string[]
  /** Whether the caller learns from it. */
  readonly isLearner: boolean
}

/** Called for a subject; undefined when it is of another area, does not exist, or the caller may not read it now. */
export const subjectOf = hook<Subject & { readonly caller: Caller }, SubjectView | undefined>('subjectOf')

/** Called for the names of some subjects; each area returns those that exist and whose name the caller may know, by id. */
export const subjectNames = hook<
  { readonly subjects: readonly Subject[]; readonly caller: Caller },
  ReadonlyMap<string, string>
>('subjectNames')

/** The subjects of one kind, as a statement that returns their ids. */
export type SubjectSet = { readonly type: SubjectType; readonly ids: Statement }

/**
 * Called for the subjects whose comments a caller reads without naming one: staff read those of everything that exists,
 * others those of what they teach or write.
 */
export const ownSubjects = hook<{ readonly caller: Caller }, SubjectSet>('ownSubjects')

/** Called for the number of published comments on some subjects of one kind, by the ids of their rows; those with none are left out. */
export const commentCounts = hook<
  { readonly type: SubjectType; readonly ids: readonly string[] },
  ReadonlyMap<string, number>
>('commentCounts')
