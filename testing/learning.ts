import { enroll } from '#src/areas/learning/index.ts'
import { getSchool } from '#src/db/schools.ts'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import { jsonBody, type TestRequest } from './http.ts'

/** The input for a lesson of an outline. */
type LessonInput = { readonly id?: string; readonly name: string } & Readonly<Record<string, unknown>>

/** A course of a test, with one section of lessons. */
type TaughtCourse = { readonly id: string; readonly lessons: readonly string[] }

/** The scopes of staff who create courses and manage students. */
export const TEACHING = [
  'courses:read',
  'courses:write',
  'curriculum:read',
  'curriculum:write',
  'students:read',
  'students:write',
  'members:read',
]

/** The scopes of a student. */
export const LEARNING = ['account:read', 'account:write', 'curriculum:read', 'courses:read']

/** Replaces the outline of a course by one section with these lessons; returns their ids. */
export const putLessons = async (
  actor: Actor,
  courseId: string,
  lessons: readonly LessonInput[],
): Promise<readonly string[]> => {
  const path = `/courses/${courseId}/outline`
  const before = await actor.get(path)
  const [section] = before.json.sections
  const named = lessons.map(lesson => ('id' in lesson ? lesson : { type: 'text', status: 'published', ...lesson }))
  const sections = [{ ...(section === undefined ? {} : { id: section.id }), name: 'All', lessons: named }]
  const reply = await actor.write('PUT', path, { sections }, { 'if-match': String(before.headers.etag) })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.json.sections[0]?.lessons.map(({ id }: { id: string }) => id) ?? []
}

/** Creates a published course with these lessons. */
export const teach = async (actor: Actor, name: string, lessons: readonly LessonInput[]): Promise<TaughtCourse> => {
  const { json: course } = await actor.write('POST', '/courses', { name })
  const ids = await putLessons(actor, course.id, lessons)
  const published = await actor.write('PUT', `/courses/${course.id}/publication`, {})
  if (published.status !== 200 && published.json.code !== 'sole_lecturer') throw new Error(published.text)
  return { id: course.id, lessons: ids }
}

/** Returns the row id of a person in the first school. */
export const readMemberId = async (app: TestApp, name: PersonName): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    people[name].email,
  ])
  if (row === undefined) throw new Error(`there is no ${name}`)
  return row.id
}

/** Enrolls a person in a course of the first school from an instant on; unset: now. Returns the enrollment's id. */
export const enrollIn = async (
  app: TestApp,
  name: PersonName,
  courseId: string,
  plan: { readonly startsAt?: Date; readonly endsAt?: Date } = {},
): Promise<string> => {
  const memberId = await readMemberId(app, name)
  return app.database.elsewhere().transaction(app.a.id, async (db, now) => {
    const school = await getSchool(db, app.a.id)
    const course = fromId('crs', courseId)
    if (course === undefined) throw new Error(`${courseId} is no course`)
    const { enrollment } = await enroll({ db, school, now }, { memberId, courseId: course, source: 'staff', ...plan })
    return enrollment.id
  })
}

/** Sets the database's clock to an instant. */
export const moveTo = async (app: TestApp, instant: string): Promise<void> => {
  const [row] = await app.database.query<{ seconds: number }>(
    'select extract(epoch from $1::timestamptz - stoa.now())::float8 as seconds',
    [instant],
  )
  await app.moveClock(row?.seconds ?? 0)
}

/** Enrolls everybody in a course of the demo data and completes it, so that examples of what is for themselves have one. */
export const enrollEverybody = async (app: Pick<TestApp, 'send' | 'database'>, token: string): Promise<void> => {
  const headers = { authorization: `Bearer ${token}` }
  const done = async (request: TestRequest) => {
    const { status, json, text } = await app.send({ ...request, headers: { ...request.headers, ...headers } })
    if (status !== 200 || (json.failed ?? 0) !== 0) throw new Error(text)
    return json
  }
  const members: { readonly id: string }[] = (await done({ path: '/api/v1/members?limit=100' })).data
  const course = await done({ path: '/api/v1/courses/slug:first-loaf' })
  const rows = members.map(({ id }) => ({ member_id: id }))
  await done(jsonBody('POST', '/api/v1/enrollments/batches', { course_id: course.id, rows, notify: false }))
  // The course has no lessons, so nobody could complete it.
  await app.database.query('update enrollments set completed_at = created_at where course_id = $1', [
    fromId('crs', course.id),
  ])
}
