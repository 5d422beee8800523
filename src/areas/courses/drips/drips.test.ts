import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
const OUTLINE = '/courses/slug:sourdough-from-scratch/outline'
const IMMEDIATE = { mode: 'immediate', value: null, date: null, local_time: null }

type Input = Readonly<Record<string, unknown>>

const put = async (actor: Actor, lessons: readonly Input[], path: string, query = '') => {
  const { headers, json } = await actor.get(path)
  const [{ id, name } = { id: undefined, name: 'All' }] = json.sections
  const section = { ...(id === undefined ? {} : { id }), name, lessons }
  return actor.write('PUT', `${path}${query}`, { sections: [section] }, { 'if-match': String(headers.etag) })
}

const newCourse = async (actor: Actor, name: string): Promise<string> =>
  `/courses/${(await actor.write('POST', '/courses', { name })).json.id}/outline`

test('an outline says by which rule lessons open; what is left out stays, and the difference is as little as it takes', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await newCourse(ada, 'Dripping')
  const days = { mode: 'days_after_enrollment', value: 2, local_time: '08:30' }
  const created = await put(
    ada,
    [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'text', drip: days },
    ],
    path,
  )
  assert.equal(created.status, 200, created.text)
  const [a, b] = created.json.sections[0].lessons
  assert.deepEqual([a.drip, b.drip], [IMMEDIATE, { ...days, date: null }])
  const same = await put(
    ada,
    [
      { id: a.id, name: 'a', drip: { mode: 'immediate' } },
      { id: b.id, name: 'b' },
    ],
    path,
  )
  assert.deepEqual(same.json.difference, [])
  const changed = await put(
    ada,
    [
      { id: a.id, name: 'a', drip: { mode: 'after_previous', value: 1 } },
      { id: b.id, name: 'b' },
    ],
    path,
  )
  assert.deepEqual(changed.json.difference, [
    { change: 'changed', type: 'lesson', id: a.id, name: 'a', fields: ['drip'] },
  ])
  const copy = await ada.write('POST', `${path.replace('/outline', '')}/copies`, {})
  assert.equal(copy.status, 201, copy.text)
  const copied = (await ada.get(`/courses/${copy.json.id}/outline`)).json.sections[0].lessons
  assert.deepEqual(
    copied.map(({ drip }: { drip: Input }) => drip.mode),
    ['after_previous', 'days_after_enrollment'],
  )
  const dry = await put(ada, [{ id: b.id, name: 'b', drip: { mode: 'immediate' } }], path, '?dry_run=true')
  assert.equal(dry.status, 200, dry.text)
  assert.deepEqual((await ada.get(`/lessons/${b.id}/drip`)).json.value, 2)
})

test('H-19 an inconsistent rule is refused as a whole, in every operation that accepts one', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await newCourse(ada, 'Refused')
  const [lesson] = (await put(ada, [{ name: 'a', type: 'text' }], path)).json.sections[0].lessons
  const wrong: [Input, string][] = [
    [{ mode: 'immediate', value: 1 }, '/value'],
    [{ mode: 'days_after_enrollment' }, '/value'],
    [{ mode: 'days_after_enrollment', value: -1 }, '/value'],
    [{ mode: 'days_after_enrollment', value: 3, date: '2027-01-01' }, '/date'],
    [{ mode: 'on_date' }, '/date'],
    [{ mode: 'on_date', date: '2026-02-30' }, '/date'],
    [{ mode: 'on_date', date: '0000-00-00' }, '/date'],
    [{ mode: 'on_date', date: '+275760-09-13' }, '/date'],
    [{ mode: 'on_date', date: '2027-01-01', local_time: '24:00' }, '/local_time'],
    [{ mode: 'after_previous', date: '2027-01-01' }, '/date'],
    [{ mode: 'sometime' }, '/mode'],
    [{ mode: 'immediate', opens_at: '2027-01-01' }, '/opens_at'],
  ]
  for (const [drip, pointer] of wrong) {
    const alone = await ada.write('PUT', `/lessons/${lesson.id}/drip`, drip)
    assert.deepEqual([alone.status, alone.json.errors[0].pointer], [422, pointer], alone.text)
    const whole = await put(ada, [{ id: lesson.id, name: 'a', drip }], path)
    assert.deepEqual([whole.status, whole.json.errors[0].pointer], [422, `/sections/0/lessons/0/drip${pointer}`])
  }
  const { mode, revision } = (await ada.get(`/lessons/${lesson.id}/drip`)).json
  assert.deepEqual([mode, revision], ['immediate', 1])
})

test('F-19 only those who manage its course read and write the rule of a lesson', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const { json: outline } = await carla.get(OUTLINE)
  const published = outline.sections[0].lessons[1].id
  const all = outline.sections.flatMap(({ lessons }: { lessons: { id: string; name: string }[] }) => lessons)
  const draft = all.find(({ name }: { name: string }) => name === 'Folding')?.id
  const dev = await app.actor('dev', { scopes: ['curriculum:read'] })
  const path = `/lessons/${published}/drip`
  const first = await carla.get(path)
  assert.deepEqual([first.json.mode, first.json.time_zone], ['immediate', 'Europe/Lisbon'])
  assert.deepEqual([(await dev.get(path)).status, (await dev.get(`/lessons/${draft}/drip`)).status], [403, 404])
  const drip = { mode: 'on_date', date: '2031-05-01', local_time: '10:00' }
  const late = await carla.write('PUT', path, drip, { 'if-match': '"9-aaaaaaaaaaaaaaaa"' })
  assert.equal(late.status, 412)
  const reply = await carla.write('PUT', path, drip, { 'if-match': String(first.headers.etag) })
  assert.deepEqual([reply.status, reply.json.date, reply.json.revision], [200, '2031-05-01', first.json.revision + 1])
  assert.ok(reply.json.valid_from > first.json.valid_from)
  assert.equal((await carla.write('PUT', path, drip)).json.revision, reply.json.revision, 'it is so already')
  assert.equal((await carla.get(OUTLINE)).json.revision, outline.revision + 1)
  // The public outline shows when a lesson becomes available.
  assert.deepEqual((await app.send({ path: `/api/v1${OUTLINE}` })).json.sections[0].lessons[1].drip.date, '2031-05-01')
  const rye = await app.actor('ada', { scopes: SCOPES })
  const hidden = await newCourse(rye, 'Hidden')
  const [lesson] = (await put(rye, [{ name: 'a', type: 'text', status: 'published' }], hidden)).json.sections[0].lessons
  const strip = ({ text }: { text: string }) => text.replace(/"request_id":"[^"]*"/, '')
  const unknown = await dev.get('/lessons/les_00000000000000000000000000/drip')
  const invisible = await dev.get(`/lessons/${lesson.id}/drip`)
  assert.deepEqual([invisible.status, strip(invisible)], [404, strip(unknown)])
})

test('each change of what students see ends a rule and starts another, and a new sentence in a body ends none', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await newCourse(ada, 'History')
  const ids = (
    await put(
      ada,
      ['a', 'b', 'c'].map(name => ({
        name,
        type: 'text',
        status: 'published',
        drip: { mode: 'after_previous' },
      })),
      path,
    )
  ).json.sections[0].lessons.map(({ id }: { id: string }) => id)
  const rows = async () => {
    const found = await app.database.query<{ name: string; periods: string[] }>(
      `select l.name, array_agg(coalesce(p.name, '-') || case when d.is_published then '' else ' hidden' end
          || case when d.valid_until is null then '' else ' ended' end order by d.valid_from) as periods
        from lessons l join lesson_drips d on d.school_id = l.school_id and d.lesson_id = l.id
          left join lessons p on p.school_id = d.school_id and p.id = d.previous_id
        where l.course_id in (select course_id from lessons where name = 'c')
        group by l.name order by 1`,
    )
    return Object.fromEntries(found.map(({ name, periods }) => [name, periods]))
  }
  assert.deepEqual(await rows(), { a: ['-'], b: ['a'], c: ['b'] }, 'what was made in one write has one row')
  await app.database.query(`update lessons set revision = revision + 1 where name = 'c'`)
  assert.deepEqual(await rows(), { a: ['-'], b: ['a'], c: ['b'] })
  const as = (...names: string[]) => names.map(name => ({ id: ids['abc'.indexOf(name)], name }))
  await put(ada, as('b', 'a', 'c'), path)
  assert.deepEqual(await rows(), { a: ['- ended', 'b'], b: ['a ended', '-'], c: ['b ended', 'a'] })
  await put(ada, as('b', 'c'), path)
  assert.deepEqual(await rows(), {
    a: ['- ended', 'b ended', '- hidden'],
    b: ['a ended', '-'],
    c: ['b ended', 'a ended', 'b'],
  })
})
