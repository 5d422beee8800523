import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'

const app = testApp()

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

type Hit = { readonly href: string; readonly name: string; readonly about: string }
type Group = {
  readonly kind: string
  readonly name: string
  readonly hits: readonly Hit[]
  readonly more: string | null
}

const find = async (name: PersonName, q: string): Promise<Record<string, Group>> => {
  const reply = await (await enter(name)).open(`/staff/search.json?${new URLSearchParams({ q })}`)
  assert.equal(reply.status, 200, reply.text)
  assert.match(String(reply.headers['content-type']), /^application\/json/)
  assert.equal(reply.headers['cache-control'], 'no-store')
  const { groups }: { groups: Group[] } = JSON.parse(reply.text)
  return Object.fromEntries(groups.map(group => [group.kind, group]))
}

const namesIn = (group: Group | undefined): string[] => group?.hits.map(({ name }) => name) ?? []

test('staff find people, orders by number, lessons, pages of the console and actions, and each leads to a page', async () => {
  const [{ number } = { number: '' }] = await app.database.query<{ number: string }>(
    'select number from orders where school_id = $1 order by id limit 1',
    [app.a.id],
  )
  const [lesson] = await app.database.query<{ name: string }>(
    `select l.name from lessons l join courses c on c.school_id = l.school_id and c.id = l.course_id
     where l.school_id = $1 and l.archived_at is null and c.deleted_at is null order by l.id limit 1`,
    [app.a.id],
  )
  const owner = await enter('ada')
  const searches: readonly (readonly [q: string, kind: string, name: string])[] = [
    ['femi', 'people', people.femi.name],
    [number, 'orders', number],
    [lesson?.name ?? '', 'lessons', lesson?.name ?? ''],
    ['coup', 'actions', 'Create a coupon'],
    ['coup', 'places', 'Coupons'],
    ['test mess', 'actions', 'Send a test message'],
    ['tax', 'places', 'Tax'],
  ]
  for (const [q, kind, name] of searches) {
    const group = (await find('ada', q))[kind]
    const hit = group?.hits.find(one => one.name === name)
    assert.ok(hit, `${q} finds ${name} among ${kind}, not ${namesIn(group).join(', ')}`)
    assert.equal((await owner.open(hit.href)).status, 200, hit.href)
  }
  assert.deepEqual(Object.keys(await find('ada', '')), ['actions'], 'without words all that one can do')
  assert.deepEqual(await find('ada', 'zzzzzz'), {})
  const many = await find('ada', 'a')
  const [first] = Object.values(many).filter(({ more }) => more !== null)
  assert.equal((await owner.open(first?.more ?? '')).status, 200)
  const page = await owner.open('/staff/search?q=femi')
  assert.match(page.text, new RegExp(`<h2>People</h2>[\\s\\S]*${people.femi.name}`), 'the same on the page')
  assert.equal((await owner.open(`/staff/search.json?q=${'a'.repeat(500)}`)).status, 200)
})

test('lecturers find what is of their courses, and others find nothing', async () => {
  const [foreign] = await app.database.query<{ name: string }>(
    `select c.name from courses c where c.school_id = $1 and c.deleted_at is null and not exists (
       select from course_lecturers t join lecturers p on p.school_id = t.school_id and p.id = t.lecturer_id
       join members m on m.school_id = p.school_id and m.id = p.member_id
       where t.school_id = c.school_id and t.course_id = c.id and m.email = $2) order by c.id limit 1`,
    [app.a.id, people.carla.email],
  )
  const name = foreign?.name ?? ''
  assert.ok(namesIn((await find('ada', name)).courses).includes(name))
  assert.ok(!namesIn((await find('carla', name)).courses).includes(name))
  const ada = await app.actor('ada', { scopes: ['courses:write', 'curriculum:write'] })
  const { json } = await ada.write('POST', '/courses', { name: 'Zeppelins' })
  const { json: part } = await ada.write('POST', `/courses/${json.id}/sections`, { name: 'Start' })
  const lesson = { name: 'Zépheline crüst', type: 'text' }
  const made = await ada.write('POST', `/sections/${part.id}/lessons`, lesson)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(namesIn((await find('ada', 'zepheline crust')).lessons), ['Zépheline crüst'])
  assert.equal((await find('carla', 'zepheline crust')).lessons, undefined)
  const found = await find('carla', 'e')
  for (const kind of ['people', 'orders', 'products', 'plans', 'coupons', 'pages'])
    assert.equal(found[kind], undefined, `${kind} are for staff`)
  assert.ok(!namesIn((await find('carla', 'create')).actions).includes('Create a coupon'))
  assert.ok(namesIn((await find('carla', 'create')).actions).includes('Create a course'))
  for (const path of ['/staff/search', '/staff/search.json?q=a'])
    assert.equal((await (await enter('dev')).open(path)).status, 403, path)
})
