// Calls of a client whose types openapi-typescript generates; tests/generated-clients.test.ts compiles and runs it.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

const { SCHOOL_URL: baseUrl = '', ACCESS_TOKEN: token = '' } = process.env
// Lists are also described as CSV, which this client never asks for.
type Media = 'application/json' | 'application/problem+json'
const client = createClient<paths, Media>({ baseUrl, headers: { authorization: `Bearer ${token}` } })

const created = await client.POST('/api/v1/courses', { body: { name: 'Rye by post', visibility: 'unlisted' } })
if (created.data === undefined) throw new Error(created.error.detail)
// The response to a dry run has no id.
if (!('id' in created.data)) throw new Error('the course was not created')
const id: string = created.data.id

const list = await client.GET('/api/v1/courses', { params: { query: { limit: 100, status: 'draft' } } })
const listed = (list.data?.data ?? []).find(course => course.id === id)
const status: components['schemas']['CoursePage']['data'][number]['status'] | undefined = listed?.status

const path = { course_id: 'slug:nowhere' }
const unknown = await client.GET('/api/v1/courses/{course_id}', { params: { path } })
const problem: components['schemas']['Problem'] | undefined = unknown.error

console.log(JSON.stringify({ id, status, code: problem?.code }))
