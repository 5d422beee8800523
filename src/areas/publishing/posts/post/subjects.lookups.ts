import type { Caller } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Subject, SubjectView } from '#src/contract/subject.ts'
import { buildViewer } from './access.ts'
import { findPostRow, listSeenTitles } from './queries.ts'

type Asking = { readonly caller: Caller }

/** A post as a subject of comments; undefined unless the caller may read its body. */
export const postSubject = async (
  { db, school }: SchoolContext,
  { type, id, caller }: Subject & Asking,
): Promise<SubjectView | undefined> => {
  if (type !== 'post') return undefined
  const row = await findPostRow(db, school.id, buildViewer(caller), id)
  if (row === undefined || !row.is_open) return undefined
  const { title: name, slug, access, comments, author_id: author } = row
  // The pages below /account know who is signed in.
  const path = access === 'public' ? `/blog/${slug}` : `/account/posts/${slug}`
  return { name, comments, path, lecturerIds: author === null ? [] : [author], isLearner: false }
}

/** The titles of those of some subjects that are posts which the caller finds. */
export const postSubjectNames = async (
  { db, school }: SchoolContext,
  { subjects, caller }: Asking & { readonly subjects: readonly Subject[] },
): Promise<ReadonlyMap<string, string>> => {
  const ids = subjects.filter(({ type }) => type === 'post').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await listSeenTitles(db, school.id, buildViewer(caller), ids)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
