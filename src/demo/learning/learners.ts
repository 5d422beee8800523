import { listLessons } from '#src/areas/courses/index.ts'
import { completeLessonByWork, enroll, findEnrollment } from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { insertMember } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findBySlug } from '../queries.ts'
import { spreadLearning } from './queries.ts'

const NAMES = [
  ...['Alice Brito', 'Bruno Sá', 'Clara Weiss', 'Duarte Pinho', 'Elena Rossi', 'Filipe Maia', 'Greta Lind', 'Hugo Vaz'],
  ...[
    'Irene Costa',
    'Jonas Berg',
    'Karim Haddad',
    'Lúcia Prata',
    'Marta Nowak',
    'Nuno Reis',
    'Olga Petrova',
    'Pedro Luz',
  ],
]

// Between two people who join, and between two lessons of one of them.
const DAYS_BETWEEN = 5

const LESSON_TYPES = ['text', 'video']

const learn = async (context: TransactionContext, memberId: string, courseId: string, count: number): Promise<void> => {
  const { db, school } = context
  await enroll(context, { memberId, courseId, source: 'gift', notify: false })
  const enrollment = await findEnrollment(db, school.id, { memberId, courseId })
  if (enrollment === undefined) return
  const lessons = (await listLessons(db, school.id, courseId)).filter(
    ({ type, status }) => LESSON_TYPES.includes(type) && status === 'published',
  )
  for (const lesson of lessons.slice(0, count))
    await completeLessonByWork({ ...context, record: () => undefined }, { enrollment, lesson, by: 'self' })
}

const DAY_MS = 86_400_000

const addLearner = async (
  context: TransactionContext,
  name: string,
  at: number,
  courseIds: readonly string[],
): Promise<void> => {
  const { db, school } = context
  const days = 3 + (NAMES.length - at) * DAYS_BETWEEN
  // The order of ids is that of what is newest.
  const joined = new Date(context.now.getTime() - days * DAY_MS)
  const email = `${name
    .split(' ')[0]
    ?.normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()}@learners.example`
  const member = await insertMember(db, school.id, {
    id: newUuid(joined.getTime()),
    email,
    name,
    role: 'member',
    emailVerified: true,
  })
  if (member === 'email_taken') return
  for (const courseId of courseIds.slice(0, 1 + (at % courseIds.length)))
    await learn({ ...context, now: joined }, member.id, courseId, 1 + (at % 5))
  await spreadLearning(db, school.id, member.id, days)
}

/** Adds people who joined and learned over the last weeks, so that the figures of the demo have a past. */
export const createDemoLearners = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    const demo = { db, school: await getSchool(db, schoolId), now }
    const slugs = ['sourdough-from-scratch', 'keep-your-starter-alive']
    const found = await Promise.all(slugs.map(slug => findBySlug(db, schoolId, 'courses', slug)))
    const courseIds = found.filter(id => id !== undefined)
    if (courseIds.length === 0) return
    for (const [at, name] of NAMES.entries()) await addLearner(demo, name, at, courseIds)
  })
