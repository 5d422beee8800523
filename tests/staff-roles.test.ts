// One thing: which pages of courses, teaching and products each role opens, and that lecturers learn nothing about others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { formatCookie, formTo, listFields, post } from '#testing/account-pages.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { learner } from '#testing/learn-pages.ts'
import { enrollIn, LEARNING, TEACHING } from '#testing/learning.ts'
import { endpoints } from '#testing/matrix.ts'
import { beginQuiz } from '#testing/quizzes.ts'
import { once } from '#testing/staff-pages.ts'

const app = testApp()

const SECTIONS =
  /^GET (\/staff\/(?:courses|teaching|grading|students|reviews|categories|groups|products|lecturers|certificates)(?:\/.*)?)$/

const routes = endpoints.flatMap(({ route }) => {
  const [, path] = SECTIONS.exec(route) ?? []
  // A list as CSV is no page, and the preview of a published course is what everybody sees.
  return path === undefined || /\/(?:csv|preview)$/.test(path) ? [] : [path]
})

/** Who opens a page: everybody who teaches; the lecturer whose course or profile it is about; or the staff alone. */
type Audience = 'teaching' | 'course' | 'staff'

const ROLES = ['ada', 'ben', 'carla', 'eli', 'dev', 'visitor'] as const
type Role = (typeof ROLES)[number]

// Carla teaches the course, Eli another one; Dev learns in it.
const EXPECTED: Readonly<Record<Audience, Readonly<Record<Role, number>>>> = {
  teaching: { ada: 200, ben: 200, carla: 200, eli: 200, dev: 403, visitor: 303 },
  course: { ada: 200, ben: 200, carla: 200, eli: 404, dev: 403, visitor: 303 },
  staff: { ada: 200, ben: 200, carla: 403, eli: 403, dev: 403, visitor: 303 },
}

type Place = { readonly audience: Audience; readonly path: string }

const STAFF_ALONE = /^\/staff\/(?:(?:categories|groups|products|certificates)|lecturers\/new$)/
const OF_ONE_LECTURER = /:course|(?:grading\/.*|students|lecturers)\/:id/

const chooseAudience = (route: string): Audience => {
  if (STAFF_ALONE.test(route)) return 'staff'
  return OF_ONE_LECTURER.test(route) ? 'course' : 'teaching'
}

const browserOf = Object.fromEntries(
  (['ada', 'ben', 'carla', 'eli', 'dev'] as const).map(name => [name, once(() => learner(app, name))]),
) as Readonly<Record<Exclude<Role, 'visitor'>, () => ReturnType<typeof learner>>>

const open = async (role: Role, path: string): Promise<TestReply> =>
  role === 'visitor' ? app.send({ path, headers: { accept: 'text/html' } }) : (await browserOf[role]()).open(path)

const createPlaces = async (): Promise<readonly Place[]> => {
  const ada = await app.actor('ada', {
    scopes: [...TEACHING, ...['lecturers:read', 'lecturers:write', 'digital_products:read']],
  })
  const write = async (method: 'POST' | 'PUT', path: string, body?: object) => {
    const { status, json, text } = await ada.write(method, path, body)
    assert.ok(status < 300, `${path}: ${text}`)
    return json
  }
  const first = async (path: string, prefix: string): Promise<string> => {
    const { text } = await ada.get(path)
    return new RegExp(`${prefix}_[0-9a-z]+`).exec(text)?.[0] ?? assert.fail(`no ${prefix} at ${path}: ${text}`)
  }
  const readProfile = async (name: PersonName): Promise<string> => {
    const [member] = (await ada.get(`/members?email=${people[name].email}`)).json.data
    const { data } = (await ada.get('/lecturers')).json
    const own = data.find(({ member_id: id }: { readonly member_id: string }) => id === member.id)
    return (own ?? (await write('POST', '/lecturers', { display_name: people[name].name, member_id: member.id }))).id
  }
  const course = await write('POST', '/courses', { name: 'Of Carla alone' })
  await write('PUT', `/courses/${course.id}/lecturers/${await readProfile('carla')}`)
  const { id: section } = await write('POST', `/courses/${course.id}/sections`, { name: 'Start' })
  const add = async (type: string): Promise<string> =>
    (await write('POST', `/sections/${section}/lessons`, { name: type, type, status: 'published' })).id
  const [quiz, work] = [await add('quiz'), await add('assignment')]
  const questions = [{ kind: 'text', grading: 'manual', prompt: 'Why?' }]
  const { questions: stored } = await write('PUT', `/lessons/${quiz}/quiz`, { questions })
  await write('PUT', `/lessons/${work}/assignment`, { instructions: 'Bake', max_points: 10 })
  await write('PUT', `/courses/${course.id}/publication`, {})
  await enrollIn(app, 'dev', course.id)
  const dev = await app.actor('dev', { scopes: LEARNING })
  const submission = (await dev.write('POST', '/account/submissions', { lesson_id: work, text: 'A loaf' })).json.id
  const attempt = (await beginQuiz(dev, quiz)).id
  const enrollment = await first(`/enrollments?course_id=${course.id}`, 'enr')
  // Eli teaches another course, in which nobody learns.
  await app.setRole('eli', 'lecturer')
  const other = await write('POST', '/courses', { name: 'Of Eli alone' })
  await write('PUT', `/courses/${other.id}/lecturers/${await readProfile('eli')}`)
  const product = await first('/digital-products', 'dpr')
  const template = await write('POST', '/certificate-templates', { name: 'Of roles' })
  const ids: Readonly<Record<string, string>> = {
    '/staff/grading/works/:id': submission,
    '/staff/grading/attempts/:id': attempt,
    '/staff/students/:id': enrollment,
    '/staff/students/:id/lessons/:lesson': enrollment,
    '/staff/categories/:id': await first('/categories', 'cat'),
    '/staff/groups/:id': await first('/groups', 'grp'),
    '/staff/lecturers/:id': await readProfile('carla'),
    '/staff/certificates/:id': template.id,
  }
  const fileId = await first(`/digital-products/${product}/files`, 'dpf')
  return routes.map(route => ({
    audience: chooseAudience(route),
    path: route
      .replace(':course', course.id)
      .replace(/:lesson(?=\/assignment)/, work)
      .replace(':lesson', quiz)
      .replace(':question', stored[0].id)
      .replace(':file', fileId)
      .replace(/^(\/staff\/products\/):id/, `$1${product}`)
      .replace(':id', ids[route] ?? ''),
  }))
}

const readPlaces = once(createPlaces)

test('F-19 each role opens the pages that it may, and no others', async () => {
  const places = await readPlaces()
  assert.ok(places.length > 30, `${places.length} pages are found`)
  for (const role of ROLES) {
    const statuses = await Promise.all(
      places.map(async ({ path, audience }) => {
        const { status } = await open(role, path)
        return status === EXPECTED[audience][role] ? undefined : `${path}: ${status}, not ${EXPECTED[audience][role]}`
      }),
    )
    assert.deepEqual(
      statuses.filter(one => one !== undefined),
      [],
      role,
    )
  }
})

test('F-19 what a lecturer does not teach looks like what does not exist', async () => {
  for (const { path } of (await readPlaces()).filter(({ audience }) => audience === 'course')) {
    const hidden = await open('eli', path)
    const unknown = await open('eli', path.replace(/_[0-9a-z]{26}/g, '_01m848tk8vefzvztx20wh48ztd'))
    assert.equal(hidden.text, unknown.text, path)
  }
})

test('F-19 no page of teaching names people whom a lecturer does not teach', async () => {
  const strangers = [people.dev, people.femi].flatMap(({ name, email }) => [name, email])
  for (const { path } of (await readPlaces()).filter(({ audience }) => audience === 'teaching')) {
    const { text } = await open('eli', path)
    for (const word of [...strangers, 'Of Carla alone']) assert.ok(!text.includes(word), `${path} has ${word}`)
  }
  for (const query of ['q=dev', 'q=patel', 'q=femi']) {
    const { text } = await open('eli', `/staff/students?${query}`)
    for (const word of strangers) assert.ok(!text.includes(word), `${query} finds ${word}`)
  }
})

test('F-19 forms of a course are refused to those who do not manage it, and publishing to all but staff', async () => {
  const outline =
    (await readPlaces()).find(({ path }) => /\/staff\/courses\/crs_\w+$/.test(path))?.path ?? assert.fail('no outline')
  const publication = `${outline}/publication`
  for (const path of [outline, `${outline}/details`, publication]) {
    const form = formTo(await open('carla', path), path)
    const own = new Map(listFields(formTo(await open('eli', '/staff/courses/new'), '/staff/courses/new'))).get('token')
    const sent = await post(app.port, await browserOf.eli(), path, listFields(form, { token: own ?? '' }))
    assert.equal(sent.status, 404, path)
  }
  const fields = listFields(formTo(await open('carla', publication), publication), { act: 'unpublish', revision: '1' })
  assert.equal((await post(app.port, await browserOf.carla(), publication, fields)).status, 403)
  assert.match((await open('ada', publication)).text, /<span class="pill good">Published/)
})

test('a form with files is refused to those who may not see its page before anything of it is read', async () => {
  const cookie = formatCookie(await browserOf.dev())
  const routes = endpoints.flatMap(
    ({ route }) => /^POST (\/staff\/(?:courses|products|plans|events|posts)\/:\w+)$/.exec(route)?.[1] ?? [],
  )
  assert.deepEqual(routes.length, 5)
  for (const path of routes) {
    const headers = { accept: 'text/html', cookie, 'content-type': 'multipart/form-data; boundary=b' }
    const { status, text } = await app.send({
      method: 'POST',
      path: path.replace(/:\w+/, 'any'),
      headers,
      body: '--b--',
    })
    assert.equal(status, 403, path)
    assert.match(text, /ask an owner of the school/, path)
  }
})
