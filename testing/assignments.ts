import assert from 'node:assert/strict'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import type { TestReply } from './http.ts'

const SOURDOUGH = '/courses/slug:sourdough-from-scratch'

type Outline = { sections: { id: string; name: string; lessons: { id: string; name: string }[] }[] }

/** Adds a lesson with an assignment to the course in which Dev and Ada are enrolled; returns its id. */
export const addAssignmentLesson = async (
  app: TestApp,
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const carla = await app.actor('carla', { scopes: ['courses:read', 'curriculum:read', 'curriculum:write'] })
  const { headers, json } = await carla.get(`${SOURDOUGH}/outline`)
  const sections = (json as Outline).sections.map(({ id, name: section, lessons }, index) => ({
    id,
    name: section,
    lessons: [
      ...lessons.map(one => ({ id: one.id, name: one.name })),
      ...(index === 0 ? [{ name, type: 'assignment', status: 'published' }] : []),
    ],
  }))
  const put = await carla.write('PUT', `${SOURDOUGH}/outline`, { sections }, { 'if-match': String(headers.etag) })
  assert.equal(put.status, 200, put.text)
  const lesson = (put.json as Outline).sections[0]?.lessons.find(one => one.name === name)
  assert.ok(lesson)
  const written = await carla.write('PUT', `/lessons/${lesson.id}/assignment`, {
    instructions: `${name}!`,
    ...settings,
  })
  assert.equal(written.status, 200, written.text)
  return lesson.id
}

/** Gives a person of the demo data an entitlement to that course, as an import does. */
export const letLearn = async (app: TestApp, name: PersonName): Promise<void> => {
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, created_at)
     select m.school_id, gen_random_uuid(), m.id, 'course', c.id, 'import', stoa.now(), stoa.now()
     from members m join courses c on c.school_id = m.school_id and c.slug = 'sourdough-from-scratch'
     where m.school_id = $1 and m.email = $2`,
    [app.a.id, `${name}@crumb.example`],
  )
}

const TEACHING = ['students:read', 'students:write', 'courses:read', 'curriculum:read', 'curriculum:write']

/** Signs in the students who submit and the staff who grade; returns them with their requests. */
export const createClass = (app: TestApp) => ({
  learner: (name: PersonName): Promise<Actor> => app.actor(name, { scopes: ['account:read', 'account:write'] }),
  teacher: (name: PersonName = 'carla'): Promise<Actor> => app.actor(name, { scopes: TEACHING }),
  handIn: (actor: Actor, lesson_id: string, body: Readonly<Record<string, unknown>> = { text: 'Done.' }) =>
    actor.write('POST', '/account/submissions', { lesson_id, ...body }),
  /** Reads a submission and grades the version that was read. */
  decide: async (actor: Actor, id: string, what: 'grade' | 'return', body: Readonly<Record<string, unknown>>) => {
    const { headers } = await actor.get(`/submissions/${id}`)
    return actor.write('PUT', `/submissions/${id}/${what}`, body, { 'if-match': String(headers.etag) })
  },
})

/** Returns the status of a reply, and its code where it is a refusal. */
export const readCode = ({ status, json }: TestReply): string => `${status} ${json?.code ?? ''}`.trim()
