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

type Said = {
  readonly slug: string
  readonly on?: 'course'
  /** How long ago it was written. */
  readonly days: number
  readonly email: string
  readonly text: string
  readonly answer: string | undefined
}

// On posts, and on courses.
const said: readonly Said[] = [
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
    text: 'Cá em casa, ao quarto dia há rabanadas.',
    answer: undefined,
  },
  {
    slug: 'which-flour-for-what',
    days: 61,
    email: 'elena@learners.example',
    text: 'For the broa I use *farina di mais fioretto*, which is ground finer than polenta.',
    answer: 'Thank you, we add it to the table.',
  },
  {
    slug: 'first-loaf',
    on: 'course',
    days: 55,
    email: 'hugo@learners.example',
    text: 'Posso usar farinha T65 em vez de T55?',
    answer: 'Podes. Junta mais uma colher de água.',
  },
  {
    slug: 'sourdough-from-scratch',
    on: 'course',
    days: 47,
    email: 'marta@learners.example',
    text: 'Can I bake it in a clay pot without a lid?',
    answer: 'Yes: put a second pot on top, upside down.',
  },
  {
    slug: 'croissants-layer-by-layer',
    on: 'course',
    days: 26,
    email: 'rosa@learners.example',
    text: '¿Sirve la mantequilla con sal?',
    answer: 'Sirve, pero entonces quita la sal de la masa.',
  },
  {
    slug: 'baguettes-at-home',
    on: 'course',
    days: 21,
    email: 'quentin@learners.example',
    text: 'Ma pâte colle au torchon. Que faire ?',
    answer: 'Frotte-le avec de la farine de riz, et laisse la pâte dix minutes au froid.',
  },
  {
    slug: 'broa-de-milho',
    on: 'course',
    days: 11,
    email: 'yara@learners.example',
    text: 'No Brasil só encontro fubá. Serve?',
    answer: 'Serve, se for bem fino. Escalda-o com um pouco mais de água.',
  },
]

// At another hour every time.
const minutesAgo = (days: number): number => days * DAY + ((days * 61) % 480)

/** Has learners of the demo comment on posts and courses, most of which Carla answers within a day. */
export const createLearnerComments = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    for (const { slug, on = 'post', days, email, text, answer: reply } of said) {
      const id = await findBySlug(db, schoolId, on === 'post' ? 'posts' : 'courses', slug)
      if (id === undefined) continue
      const subject = { type: on, id } as const
      const then = await backdate({ db, now }, minutesAgo(days))
      const asked = { subject, parent: undefined, spoken: { email, role: 'student', text }, now: then.now } as const
      const parent = await say(then.db, schoolId, asked)
      if (parent === undefined || reply === undefined) continue
      const later = await backdate({ db, now }, minutesAgo(days) - DAY / 3)
      const spoken = { ...answer, text: reply }
      await say(later.db, schoolId, { subject, parent, spoken, now: later.now })
    }
  })
