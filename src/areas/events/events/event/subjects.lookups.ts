import type { Caller } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Subject, SubjectView } from '#src/contract/subject.ts'
import { buildViewer } from './access.ts'
import { findEventRow, listHosts, listSeenNames } from './queries.ts'

type Asking = { readonly caller: Caller }

/** An event as a subject of comments; undefined unless the caller finds it. */
export const eventSubject = async (
  { db, school }: SchoolContext,
  { type, id, caller }: Subject & Asking,
): Promise<SubjectView | undefined> => {
  if (type !== 'event') return undefined
  const row = await findEventRow(db, school.id, buildViewer(caller), id)
  if (row === undefined) return undefined
  const { name, slug, comments, visibility } = row
  const lecturerIds = await listHosts(db, school.id, id)
  return {
    name,
    comments,
    path: visibility === 'public' ? `/events/${slug}` : `/account/events/${slug}/details`,
    lecturerIds,
    isLearner: false,
  }
}

/** The names of those of some subjects that are events which the caller finds. */
export const eventSubjectNames = async (
  { db, school }: SchoolContext,
  { subjects, caller }: Asking & { readonly subjects: readonly Subject[] },
): Promise<ReadonlyMap<string, string>> => {
  const ids = subjects.filter(({ type }) => type === 'event').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await listSeenNames(db, school.id, buildViewer(caller), ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
