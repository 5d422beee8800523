import assert from 'node:assert/strict'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import type { TestReply } from './http.ts'
import { enrollIn } from './learning.ts'
import { performAsOperator } from './orders.ts'
import { sellingSettings } from './selling.ts'

let networks = 0

/** The header of a request from a network of its own; the application has to trust the proxy. */
export const fromElsewhere = (): Readonly<Record<string, string>> => {
  networks += 1
  return { 'x-forwarded-for': `${11 + (networks >> 8)}.${networks & 255}.7.7` }
}

/** Writes a comment from a network of its own. */
export const comment = (
  actor: Actor,
  subject: string,
  body: string,
  parent_id: string | null = null,
): Promise<TestReply> => actor.write('POST', '/account/comments', { subject, body, parent_id }, fromElsewhere())

/** Writes a comment that must be accepted; returns its id. */
export const commented = async (...input: Parameters<typeof comment>): Promise<string> => {
  const { status, json, text } = await comment(...input)
  assert.equal(status, 201, text)
  return json.id
}

/** Sets how the first school takes comments on one kind of subject. */
export const setCommentMode = (app: TestApp, kind: 'courses' | 'lessons', mode: 'open' | 'approval' | 'off') =>
  sellingSettings(app)({ comments: { [kind]: mode } })

/** Does as the operator what no app may do about a comment; a refusal is an error with its detail. */
export const moderate = (app: TestApp, operation: string, id: string, body?: object): Promise<void> =>
  performAsOperator(app, { operation, params: { comment_id: id }, ...(body === undefined ? {} : { body }) })

/** A published course of Carla with published lessons, in which these people are enrolled. */
export const commentedCourse = async (app: TestApp, ada: Actor, name: string, learners: readonly PersonName[] = []) => {
  const { json: course } = await ada.write('POST', '/courses', { name })
  await ada.write('PUT', `/courses/${course.id}/lecturers/slug:carla-nunes`)
  const { json: section } = await ada.write('POST', `/courses/${course.id}/sections`, { name: 'Start' })
  const lesson = async (more: object = {}): Promise<string> => {
    const input = { name: 'Kneading', type: 'text', status: 'published', body: 'Knead.', ...more }
    const { status, json, text } = await ada.write('POST', `/sections/${section.id}/lessons`, input)
    assert.equal(status, 201, text)
    return json.id
  }
  const published = await ada.write('PUT', `/courses/${course.id}/publication`, {})
  assert.equal(published.status, 200, published.text)
  for (const learner of learners) await enrollIn(app, learner, course.id)
  return { id: String(course.id), path: `/courses/${course.id}`, slug: String(course.slug), lesson }
}

/** The scopes with which people write comments and read them. */
export const COMMENTING = ['account:read', 'account:write', 'comments:read', 'courses:read', 'curriculum:read']

/** The scopes of the staff who read comments and change courses. */
export const COMMENT_STAFF = [...COMMENTING, 'courses:write', 'curriculum:write', 'members:read', 'members:write']

/** Asserts that the counts of every comment are what its rows add up to. */
export const assertCounts = async ({ database }: TestApp): Promise<void> => {
  const wrong = await database.query(`
    select c.id, c.body, c.reply_count, c.below_count, c.open_reports from comments c
    where c.reply_count <> (select count(*) from comments r
        where r.school_id = c.school_id and r.parent_id = c.id and r.status = 'published')
      or c.below_count <> (
        with recursive below as (
          select r.id, r.status from comments r where r.school_id = c.school_id and r.parent_id = c.id
          union all
          select r.id, r.status from comments r join below b on r.parent_id = b.id where r.school_id = c.school_id
        ) select count(*) from below where status = 'published')
      or c.open_reports <> (select count(*) from comment_reports p
        where p.school_id = c.school_id and p.comment_id = c.id and p.outcome is null)`)
  assert.deepEqual(wrong, [])
}
