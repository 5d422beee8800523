import { computeHash, insertComment, type NewCommentValues, renderComment } from '#src/areas/publishing/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findBySlug, findMemberId } from '../queries.ts'

type Reply = NewCommentValues['parent']

type Spoken = { readonly email: string; readonly role: 'student' | 'lecturer'; readonly text: string }

const question: Spoken = {
  email: 'dev@crumb.example',
  role: 'student',
  text: 'My starter smells of *apples* on the third day. Is that right?',
}

const answer: Spoken = {
  email: 'carla@crumb.example',
  role: 'lecturer',
  text: 'It is. Feed it once more tonight, and bake tomorrow.',
}

const say = async (
  db: Db,
  schoolId: string,
  { courseId, parent, spoken, now }: { courseId: string; parent: Reply; spoken: Spoken; now: Date },
): Promise<Reply> => {
  const memberId = await findMemberId(db, schoolId, spoken.email)
  if (memberId === undefined) return undefined
  const { body, body_html, body_allowed } = renderComment(spoken.text)
  const id = newUuid(now.getTime() + (parent?.depth ?? 0))
  const subject = { type: 'course', id: courseId } as const
  const text = { body, body_html, body_allowed, hash: computeHash(body) }
  const { role } = spoken
  const count = await insertComment(db, schoolId, { id, subject, parent, memberId, role, status: 'published', ...text })
  return count === 0 ? undefined : { id, root_id: parent?.root_id ?? id, depth: (parent?.depth ?? 0) + 1 }
}

/** Creates a question of Dev on the sourdough course and the answer of Carla, unless they exist. */
export const createDemoComments = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    const courseId = await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch')
    if (courseId === undefined) return
    const parent = await say(db, schoolId, { courseId, parent: undefined, spoken: question, now })
    if (parent !== undefined) await say(db, schoolId, { courseId, parent, spoken: answer, now })
  })
