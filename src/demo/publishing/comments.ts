import { computeHash, insertComment, type NewCommentValues, renderComment } from '#src/areas/publishing/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { backdate, DAY } from '../clock.ts'
import { findBySlug, findMemberId } from '../queries.ts'

type Reply = NewCommentValues['parent']

type Subject = NewCommentValues['subject']

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
  { subject, parent, spoken, now }: { subject: Subject; parent: Reply; spoken: Spoken; now: Date },
): Promise<Reply> => {
  const memberId = await findMemberId(db, schoolId, spoken.email)
  if (memberId === undefined) return undefined
  const { body, body_html, body_allowed } = renderComment(spoken.text)
  const id = newUuid(now.getTime() + (parent?.depth ?? 0))
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
    const subject = { type: 'course', id: courseId } as const
    const parent = await say(db, schoolId, { subject, parent: undefined, spoken: question, now })
    if (parent !== undefined) await say(db, schoolId, { subject, parent, spoken: answer, now })
  })

// On posts: the days are how long ago they were written.
const saidOnPosts = [
  {
    slug: 'a-loaf-for-a-week',
    days: 15,
    email: 'jonas@learners.example',
    text: 'We call this scald *skållning*, and my grandmother did it with the water of the potatoes.',
    answer: 'With the water of the potatoes! We tried it today. It is better than ours.',
  },
  {
    slug: 'pao-de-vespera',
    days: 40,
    email: 'lucia@learners.example',
    text: 'Cá em casa o quarto dia são rabanadas.',
    answer: undefined,
  },
  {
    slug: 'which-flour-for-what',
    days: 61,
    email: 'elena@learners.example',
    text: 'For the broa I use *farina di mais fioretto*, which is ground finer than polenta.',
    answer: 'Thank you, we add it to the table.',
  },
] as const

/** Has learners of the demo comment on posts, some of which Carla answers a day later. */
export const createLearnerComments = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    for (const { slug, days, email, text, answer: reply } of saidOnPosts) {
      const id = await findBySlug(db, schoolId, 'posts', slug)
      if (id === undefined) continue
      const subject = { type: 'post', id } as const
      const then = await backdate({ db, now }, days * DAY)
      const asked = { subject, parent: undefined, spoken: { email, role: 'student', text }, now: then.now } as const
      const parent = await say(then.db, schoolId, asked)
      if (parent === undefined || reply === undefined) continue
      const later = await backdate({ db, now }, (days - 1) * DAY)
      const spoken = { ...answer, text: reply }
      await say(later.db, schoolId, { subject, parent, spoken, now: later.now })
    }
  })
