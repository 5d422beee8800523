import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'

export { retryWhileBusy } from './http.ts'

/** The scopes with which staff write quizzes and read attempts. */
export const TEACHING = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write', 'school:read'] as const

/** The scopes of a student. */
export const LEARNING = ['account:read', 'account:write', 'curriculum:read', 'courses:read'] as const

/** A quiz of a test: the course, the lesson and the path of the quiz. */
export type TestQuiz = { readonly courseId: string; readonly lessonId: string; readonly path: string }

let courses = 0

/** Creates a published course with one lesson that has this quiz. */
export const makeQuiz = async (staff: Actor, quiz: Readonly<Record<string, unknown>>): Promise<TestQuiz> => {
  const { json: course } = await staff.write('POST', '/courses', { name: `Quizzed ${++courses}` })
  await staff.write('PUT', `/courses/${course.id}/publication`, {})
  const sections = [{ name: 'One', lessons: [{ name: 'Quiz', type: 'quiz', status: 'published' }] }]
  const outline = await staff.write('PUT', `/courses/${course.id}/outline`, { sections }, { 'if-match': '*' })
  const lessonId = outline.json.sections[0].lessons[0].id
  const path = `/lessons/${lessonId}/quiz`
  const written = await staff.write('PUT', path, quiz)
  assert.equal(written.status, 200, written.text)
  return { courseId: course.id, lessonId, path }
}

/** Gives a person of the demo data access to a course from now on. */
export const entitle = async (app: TestApp, name: PersonName, courseId: string): Promise<void> => {
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, created_at)
     select $1, $2, m.id, 'course', $3, 'gift', t, t
     from members m, (select stoa.now() as t) as moment where m.school_id = $1 and m.email = $4`,
    [app.a.id, randomUUID(), fromId('crs', courseId), people[name].email],
  )
}

/** A question of an attempt as a student reads it. */
type SeenQuestion = {
  readonly id: string
  readonly kind: string
  readonly prompt: string
  readonly choices: readonly { readonly id: string; readonly text: string }[]
}

/** Returns the question of an attempt with this prompt. */
export const findQuestion = (
  attempt: { readonly questions: readonly SeenQuestion[] },
  prompt: string,
): SeenQuestion => {
  const found = attempt.questions.find(question => question.prompt === prompt)
  assert.ok(found, prompt)
  return found
}

/** Returns the answer that selects the choices with these texts. */
export const choosing = (question: SeenQuestion, ...texts: readonly string[]) => ({
  question_id: question.id,
  choice_ids: question.choices.filter(({ text }) => texts.includes(text)).map(({ id }) => id),
})

/** The path of one's own attempts. */
export const OWN = '/account/quiz-attempts'

/** Starts an attempt at the quiz of a lesson. */
export const beginQuiz = async (actor: Actor, lessonId: string) => {
  const reply = await actor.write('POST', OWN, { lesson_id: lessonId })
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

/** Saves answers of an attempt. */
export const saveQuiz = (actor: Actor, id: string, answers: readonly unknown[]) =>
  actor.write('PUT', `${OWN}/${id}/answers`, { answers })

/** Submits an attempt. */
export const submitQuiz = (actor: Actor, id: string) => actor.write('PUT', `${OWN}/${id}/submission`)
