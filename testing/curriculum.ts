import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'
import type { TestReply } from './http.ts'

/** The scopes for reading and writing courses and their content. */
export const CURRICULUM_SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']

/** Creates a published course of Carla with one section. */
export const createCourse = async (app: TestApp, name: string) => {
  const carla = await app.actor('carla', { scopes: CURRICULUM_SCOPES })
  const ada = await app.actor('ada', { scopes: CURRICULUM_SCOPES })
  const { json: course } = await carla.write('POST', '/courses', { name })
  const path = `/courses/${course.id}`
  const { json: section } = await carla.write('POST', `${path}/sections`, { name: 'Start' })
  assert.equal((await ada.write('PUT', `${path}/publication`, {})).status, 200)
  const add = async (body: object): Promise<TestReply> => carla.write('POST', `/sections/${section.id}/lessons`, body)
  return { carla, ada, path, section, add }
}
