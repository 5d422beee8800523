// One thing: what the first page of the console says, to staff and to those who teach.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount } from '#testing/account-pages.ts'
import { rollUp } from '#testing/analytics.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { COMMENT_STAFF, COMMENTING, commented, commentedCourse } from '#testing/comments.ts'
import { isOfRequest, isTokenLookup } from '#testing/statements.ts'

let statements: string[] = []
const app = testApp({ onStatement: text => void statements.push(text) })

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

type Item = { readonly name: string; readonly href: string; readonly about: string }

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()

const readItems = (text: string): Item[] => {
  const [, list = ''] = /<section class="card flush" aria-labelledby="waiting">([\s\S]*?)<\/section>/.exec(text) ?? []
  return [...list.matchAll(/<a href="([^"]*)">([^<]*)<\/a>([\s\S]*?)<\/li>/g)].map(
    ([, href = '', name = '', rest = '']) => ({ name, href, about: plain(rest) }),
  )
}

const readWaiting = async (name: PersonName): Promise<Item[]> => {
  const { status, text } = await (await enter(name)).open('/staff')
  assert.equal(status, 200, app.log.filter(line => line.includes('"err"')).join('\n'))
  return readItems(text)
}

const find = (items: readonly Item[], words: RegExp): Item | undefined => items.find(({ name }) => words.test(name))

const query = (text: string, values: readonly unknown[]) =>
  app.database.query<Record<string, string>>(text, [app.a.id, ...values])

const failMails = (count: number, reason: string) =>
  query(
    `insert into mails (school_id, id, kind, recipient, locale, "values", recorded_at, not_before, attempts, parked_at, last_error)
     select $1, gen_random_uuid(), 'reset', 'gone' || n || '@crumb.example', 'en', '{}', stoa.now(), stoa.now(), 5,
       stoa.now() - interval '3 days' + n * interval '1 second', $3 from generate_series(1, $2::integer) n`,
    [count, reason],
  )

test('staff read what waits with names, amounts and since when, and what is of one order leads to it', async () => {
  const [paid] = await query(
    `select o.number, o.id, p.id as payment, m.name from orders o join payments p on p.school_id = o.school_id and p.order_id = o.id
     join members m on m.school_id = o.school_id and m.id = o.member_id
     where o.school_id = $1 and o.status = 'paid' order by o.id limit 1`,
    [],
  )
  await query(`update orders set note = 'settled' where school_id = $1`, [])
  await query(`delete from disputes where school_id = $1`, [])
  await query(
    `insert into disputes (school_id, id, payment_id, order_id, amount, state, reference, opened_at, due_at)
     values ($1, gen_random_uuid(), $2, $3, 1900, 'open', 'dp_1', stoa.now() - interval '2 days', stoa.now() + interval '6 days')`,
    [paid?.payment, paid?.id],
  )
  await failMails(2, '550')
  const items = await readWaiting('ada')
  const dispute = find(items, /^1 disputed payment$/)
  assert.equal(dispute?.href, `/staff/orders/${paid?.number}`)
  assert.match(dispute?.about ?? '', new RegExp(`^${paid?.number} ${paid?.name} €19\\.00`))
  assert.match(dispute?.about ?? '', /6 days left$/)
  const mails = find(items, /^2 mails that were not delivered$/)
  assert.equal(mails?.href, '/staff/outbox?state=failed')
  assert.match(mails?.about ?? '', /gone1@crumb\.example, 550 · gone2@crumb\.example, 550oldest /)

  await failMails(150, '550')
  const many = find(await readWaiting('ada'), /mails that were not delivered/)
  assert.equal(many?.name, '100 mails that were not delivered or more')
  await query(`delete from mails where school_id = $1 and parked_at is not null`, [])
  assert.equal(find(await readWaiting('ada'), /not delivered/), undefined, 'what does not wait is left out')
})

test('those who teach read what is of their own courses, and nobody else reads anything', async () => {
  const teaching = `select t.course_id from course_lecturers t
    join lecturers p on p.school_id = t.school_id and p.id = t.lecturer_id
    join members m on m.school_id = p.school_id and m.id = p.member_id
    where t.school_id = $1 and m.email = 'carla@crumb.example'`
  const lessons = await query(
    `select course_id as id, id as lesson from lessons where school_id = $1 and course_id in (${teaching}) order by id limit 2`,
    [],
  )
  const [foreign] = await query(`select id from courses where school_id = $1 and id not in (${teaching}) limit 1`, [])
  const [own, other] = [lessons[0], { id: foreign?.id, lesson: lessons[1]?.lesson }]
  const [member] = await query(`select id, name from members where school_id = $1 and email = 'femi@crumb.example'`, [])
  await query('delete from submissions where school_id = $1', [])
  for (const course of [own, other])
    await query(
      `insert into submissions (school_id, id, member_id, course_id, lesson_id, attempt_number, status, text, submitted_at,
         late, changed_in, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 1, 'submitted', 'Done', stoa.now(), false, 0, stoa.now(), stoa.now())`,
      [member?.id, course?.id, course?.lesson],
    )
  await failMails(1, '550')
  assert.ok(find(await readWaiting('ben'), /^2 submissions to grade$/))
  const carla = await enter('carla')
  const { text, status } = await carla.open('/staff')
  assert.equal(status, 200)
  const items = readItems(text)
  const work = find(items, /^1 submission to grade$/)
  assert.match(work?.about ?? '', new RegExp(`^${member?.name}, `))
  assert.equal(find(items, /mail|transfer|refund|disputed|app/), undefined, 'sales and mails are for staff')
  assert.doesNotMatch(text, /Newest orders|id="sales"|id="guide"/)
  assert.match(text, /Active learners/)
  assert.equal((await (await enter('dev')).open('/staff')).status, 403)
  await query(`delete from mails where school_id = $1 and parked_at is not null`, [])
})

test('a question waits for those who answer it, until it has an answer or is a month old', async () => {
  await query(`update comments set created_at = created_at - interval '40 days' where school_id = $1`, [])
  const readQuestions = async (name: PersonName) => find(await readWaiting(name), /without an answer$/)
  assert.equal(await readQuestions('ada'), undefined)
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'Asked', ['dev'])
  await commented(ada, id, 'Welcome')
  const question = await commented(await app.actor('dev', { scopes: COMMENTING }), id, 'Is it done?')
  for (const name of ['ada', 'carla'] as const) {
    const shown = await readQuestions(name)
    assert.equal(shown?.name, '1 comment without an answer', name)
    assert.equal(shown?.href, '/staff/comments?unanswered=true')
    assert.match(shown?.about ?? '', /^Dev Patel, Is it done\?/)
  }
  await commented(await app.actor('carla', { scopes: COMMENTING }), id, 'Knock at it.', question)
  assert.equal(await readQuestions('ada'), undefined)
})

test('sales and figures are those of the analytics, whose statements are not repeated for each of them', async () => {
  await rollUp(app)
  const ada = await app.actor('ada', { scopes: ['analytics:read'] })
  const { json } = await ada.get('/analytics/series?metric=sales&compare=previous')
  const [series] = json.series
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: series.currency })
  const owner = await enter('ada')
  await owner.open('/staff')
  statements = []
  const { text } = await owner.open('/staff')
  const read = statements.filter(one => isOfRequest(one) && !isTokenLookup(one))
  assert.ok(read.length <= 20, `${read.length} statements:\n${read.join('\n')}`)
  assert.ok(text.includes(`<b>${money.format(series.total / 100)}</b>`), 'the total of thirty days')
  assert.match(text, /<th scope="row">/)
  const week = await owner.open('/staff?days=7')
  const points: { value: number }[] = series.points.slice(-7)
  const total = points.reduce((sum, { value }) => sum + value, 0)
  assert.ok(week.text.includes(`<b>${money.format(total / 100)}</b>`), 'the total of seven days')
  const [, sales = ''] = /aria-labelledby="sales">([\s\S]*?)<\/section>/.exec(week.text) ?? []
  assert.equal([...sales.matchAll(/<th scope="row">/g)].length, 7)
})
