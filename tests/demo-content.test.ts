import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { useShownDemo } from '#testing/shown-demo.ts'

const app = testApp()
const startDemo = useShownDemo(app)
let id: Promise<string> | undefined
const query = async <Row extends Record<string, unknown>>(text: string) => {
  id ??= startDemo('http://127.0.0.1:7')
  return app.database.query<Row>(text, [await id])
}

test('every lesson of every course has what it is for', async () => {
  const lessons = await query<{ name: string; type: string; has: boolean }>(`
    select l.name, l.type, case l.type
        when 'quiz' then exists (select from quizzes z join quiz_questions q on q.school_id = z.school_id and q.quiz_id = z.id
          where z.school_id = $1 and z.lesson_id = l.id)
        when 'assignment' then exists (select from assignments a where a.school_id = $1 and a.lesson_id = l.id)
        else length(v.body) > 60 end as has
    from lessons l left join lesson_versions v on v.school_id = $1 and v.lesson_id = l.id and v.number = l.version
    where l.school_id = $1`)
  assert.deepEqual(
    lessons.filter(({ has }) => !has),
    [],
  )
  const courses = await query(`
    select name from courses c where school_id = $1 and deleted_at is null and not exists (
      select from lessons l where l.school_id = $1 and l.course_id = c.id)`)
  assert.deepEqual(courses, [])
  assert.ok(lessons.length > 40)
})

test('published films play with captions in two languages, and the live lesson is in the coming week', async () => {
  const films = await query<{ name: string; types: string[] }>(`
    select l.name, array_agg(f.content_type order by f.content_type, x.language) as types
    from lessons l join lesson_versions v on v.school_id = $1 and v.lesson_id = l.id and v.number = l.version
      left join lesson_files x on x.school_id = $1 and x.version_id = v.id
      left join uploads f on f.school_id = $1 and f.id = x.file_id
    where l.school_id = $1 and l.type = 'video' and l.status = 'published' group by l.name order by l.name`)
  const types = ['text/vtt', 'text/vtt', 'video/mp4']
  assert.deepEqual(
    films,
    ['Feeding', 'Five cuts', 'Three turns'].map(name => ({ name, types })),
  )
  const live = await query<{ is_soon: boolean }>(`
    select (v.starts_at_local::timestamp at time zone v.time_zone) between stoa.now() and stoa.now() + interval '7 days' as is_soon
    from lessons l join lesson_versions v on v.school_id = $1 and v.lesson_id = l.id and v.number = l.version
    where l.school_id = $1 and l.type = 'live'`)
  assert.deepEqual(live, [{ is_soon: true }])
})

test('quizzes differ, and every public event, course, post and plan to buy shows a picture', async () => {
  const prompts = await query(`
    select v.prompt from quiz_questions q
      join question_versions v on v.school_id = $1 and v.question_id = q.id and v.version = q.version
    where q.school_id = $1 group by 1 having count(*) > 1`)
  assert.deepEqual(prompts, [])
  const bare = await query(`
    select name from events where school_id = $1 and status = 'published' and image_file_id is null
    union all select name from courses where school_id = $1 and status = 'published' and image_file_id is null
    union all select slug from posts where school_id = $1 and status = 'published' and cover_file_id is null
    union all select name from digital_products where school_id = $1 and status = 'published' and image_file_id is null
    union all select name from membership_plans where school_id = $1 and status = 'active' and image_file_id is null
    union all select display_name from lecturers where school_id = $1 and avatar_file_id is null`)
  assert.deepEqual(bare, [])
})

const OVER_TIME = [
  ...['quiz_attempts', 'form_submissions', 'certificates', 'completions'],
  ...['new_members', 'enrollments', 'lesson_completions', 'orders_placed', 'orders_paid', 'sales', 'net_revenue'],
  ...[
    'registrations',
    'check_ins',
    'post_views',
    'form_views',
    'mrr',
    'submissions',
    'no_shows',
    'refunds',
    'comments',
  ],
]

test('every chart has a past of three months', async () => {
  // Days and not weeks: in how many calendar weeks something lies depends on the day of the week of the first start.
  const found = await query<{ metric: string; days: number; span: number }>(`
    select metric, count(distinct at::date)::integer as days, extract(day from max(at) - min(at))::integer as span
    from metric_buckets where school_id = $1 group by 1`)
  const known = new Map(found.map(one => [one.metric, one]))
  const short = OVER_TIME.filter(metric => {
    const { days = 0, span = 0 } = known.get(metric) ?? {}
    return days < 5 || span < 50
  })
  assert.deepEqual(short, [], JSON.stringify(found))
})

test('nothing of the past is later than now, or waits to be told', async () => {
  // The worker prints invoices and delivers test payments after the start; what is told is of today.
  const [late] = await query<{ orders: number; facts: string[]; mails: number; overdue: string[]; ends: number }>(`
    select (select count(*) from orders where school_id = $1 and (created_at > stoa.now() or paid_at < created_at))::integer as orders,
      array(select type from facts where school_id = $1 order by type) as facts,
      (select count(*) from mails where school_id = $1)::integer as mails,
      array(select distinct kind from jobs
        where school_id = $1 and due_at < stoa.now() - interval '1 day' order by kind) as overdue,
      (select count(*) from occurrences where school_id = $1 and ends_at < stoa.now() and ended_at is null)::integer as ends`)
  assert.deepEqual(late, {
    orders: 0,
    facts: ['deployment.checked', 'order.expired'],
    mails: 0,
    overdue: ['invoice', 'test_event'],
    ends: 0,
  })
  const disordered = await query(`
    select number from (
      select number, created_at, lag(created_at) over (order by id) as before from orders where school_id = $1) as o
    where created_at < before - interval '2 hours'`)
  assert.deepEqual(disordered, [])
})

test('members write in many languages and scripts', async () => {
  const members = await query<{ name: string; locale: string | null }>(
    'select name, locale from members where school_id = $1',
  )
  assert.ok(new Set(members.map(({ locale }) => locale)).size > 15)
  for (const script of [
    'Arabic',
    'Cyrillic',
    'Devanagari',
    'Georgian',
    'Greek',
    'Han',
    'Hangul',
    'Hebrew',
    'Latin',
    'Thai',
  ])
    assert.ok(
      members.some(({ name }) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)),
      script,
    )
})
