import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { renderBody } from '#src/kit/body/render.ts'
import { toId } from '#src/kit/ids.ts'
import { appendQuotation } from '#src/kit/quotation.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { enrollIn, LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { beginQuiz, saveQuiz, submitQuiz } from '#testing/quizzes.ts'
import { formWith, once, readNotice } from '#testing/staff-pages.ts'

const app = testApp()

const ada = once(() => app.actor('ada', { scopes: [...TEACHING, 'lecturers:read'] }))
const dev = once(() => app.actor('dev', { scopes: LEARNING }))
const carla = once(() => learner(app, 'carla'))
const owner = once(() => learner(app, 'ada'))

/** A course of Carla with assignments that Dev handed in, in the order of their names. */
const courseWith = async (name: string, works: readonly string[]) => {
  const { id, lessons } = await teach(
    await ada(),
    name,
    works.map(one => ({ name: one, type: 'assignment' })),
  )
  const { data } = (await (await ada()).get('/lecturers')).json
  const { id: lecturer } = data.find((one: { readonly display_name: string }) => one.display_name.startsWith('Carla'))
  const added = await (await ada()).write('PUT', `/courses/${id}/lecturers/${lecturer}`)
  assert.ok(added.status < 300, added.text)
  const enrollment = toId('enr', await enrollIn(app, 'dev', id))
  const submissions: string[] = []
  for (const lesson of lessons) {
    const settings = { instructions: 'Bake', max_points: 20, passing_points: 12 }
    assert.equal((await (await ada()).write('PUT', `/lessons/${lesson}/assignment`, settings)).status, 200)
    const sent = { lesson_id: lesson, text: 'It rose *twice*.\n1. At noon\n\n# And at night <b>' }
    submissions.push((await (await dev()).write('POST', '/account/submissions', sent)).json.id)
  }
  return { id, lessons, enrollment, submissions }
}

const readWork = async (id: string) => (await (await ada()).get(`/submissions/${id}`)).json

const send = (browser: Browser, page: TestReply, fields: Readonly<Record<string, string>>): Promise<TestReply> =>
  browser.submit(formWith(page, 'points'), Object.entries(fields))

test('a passage is quoted as it was written, whatever Markdown would make of it', () => {
  const passage = '# One\n1. two *three*  \n- four \\ five | six\n    seven\n\n\n> <b>eight</b> &amp; [nine](http://x)'
  const quoted = appendQuotation('Before. \n', passage)
  assert.match(quoted, /^Before\.\n\n> \\# One\\\n> 1\\\. two \\\*three\\\*\\\n/)
  const body = renderBody('lesson', quoted, 'markdown')
  assert.ok(typeof body !== 'string')
  const words = body.body_html
    .replace(/<br ?\/?>/g, '')
    .replace(/<\/?(?:p|blockquote)>/g, '')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
  assert.equal(
    words.replace(/\s+/g, ' ').trim(),
    'Before. # One 1. two *three* - four \\ five | six seven > <b>eight</b> &amp; [nine](http://x)',
  )
  assert.equal((body.body_html.match(/<p>/g) ?? []).length, 3)
  assert.equal(appendQuotation('Before', ' \n'), 'Before')
})

test('what waits is graded one after the other in the order of the list, until nothing waits', async () => {
  const { id, submissions } = await courseWith('One after the other', ['First', 'Second', 'Third'])
  const paths = submissions.map(one => `/staff/grading/works/${one}?course_id=${id}`)
  const list = await (await carla()).open(`/staff/grading?course_id=${id}`)
  assert.deepEqual(
    listLinks(list)
      .filter(href => href.includes('/works/') && href.includes(id))
      .slice(-3),
    paths,
  )
  const second = await (await carla()).open(paths[1] ?? '')
  const link = (page: TestReply, rel: string) => new RegExp(`href="([^"]*)" rel="${rel}"`).exec(page.text)?.[1]
  assert.deepEqual([link(second, 'prev'), link(second, 'next')], [paths[0], paths[2]])
  const third = await send(await carla(), second, { act: 'save_next', points: '15', feedback: '' })
  assert.match(third.text, /<h1>Work of Dev Patel/)
  assert.equal(readNotice(third), 'Saved. 2 more wait.')
  assert.equal(link(third, 'prev'), paths[0])
  const first = await send(await carla(), third, { act: 'return', feedback: 'Once more' })
  assert.equal(readNotice(first), 'Returned. 1 more waits.')
  assert.equal(link(first, 'next'), undefined)
  const end = await send(await carla(), first, { act: 'save_next', points: '20', feedback: 'Well *done*' })
  assert.match(readNotice(end), /The grade is saved/)
  assert.match(readMain(end), /Nothing waits for a grade/)
  const decided = await Promise.all(submissions.map(readWork))
  assert.deepEqual(
    decided.map(({ status }) => status),
    ['graded', 'graded', 'returned'],
  )
  const own = await (await learner(app, 'dev')).open(`/learn/one-after-the-other/${decided[0].lesson_id}`)
  assert.match(own.text, /Well <em>done<\/em>/)
})

test('two who grade the same work: the second one is refused with what the first one wrote, and decides', async () => {
  const { submissions } = await courseWith('Two who grade', ['Both', 'Returned'])
  const [both = '', back = ''] = submissions
  const path = `/staff/grading/works/${both}`
  const seen = await (await carla()).open(path)
  const first = await (await owner()).open(path)
  await send(await owner(), first, { act: 'save', points: '11', feedback: 'Too flat, says Ada' })
  const refused = await send(await carla(), seen, { act: 'save_next', points: '19', feedback: 'Lovely, says Carla' })
  assert.equal(refused.status, 412)
  assert.match(readNotice(refused), /somebody else graded it/)
  const conflict = /<section class="card conflict"[\s\S]*?<\/section>/.exec(refused.text)?.[0] ?? ''
  assert.match(conflict, /Points[\s\S]*19[\s\S]*11[\s\S]*Carla[\s\S]*Ada/)
  assert.match(refused.text, /<textarea[^>]*name="feedback"[^>]*>\s*Lovely, says Carla/)
  assert.equal((await readWork(both)).grade.points, 11)
  const taken = await send(await carla(), refused, { act: 'take', feedback: 'Lovely, says Carla' })
  assert.match(taken.text, /<textarea[^>]*name="feedback"[^>]*>\s*Too flat, says Ada/)
  assert.match(/<section class="card conflict"[\s\S]*?<\/section>/.exec(taken.text)?.[0] ?? '', /Lovely/)
  await send(await carla(), refused, { act: 'save', points: '19', feedback: 'Lovely, says Carla' })
  const { grade, feedback, grader } = await readWork(both)
  assert.deepEqual([grade.points, feedback, grader.name], [19, 'Lovely, says Carla', people.carla.name])

  const late = await (await carla()).open(`/staff/grading/works/${back}`)
  const returning = await (await owner()).open(`/staff/grading/works/${back}`)
  await send(await owner(), returning, { act: 'return', feedback: 'Weigh it' })
  const kept = await send(await carla(), late, { act: 'save', points: '19', feedback: 'My long text' })
  assert.equal(kept.status, 412)
  assert.match(kept.text.replaceAll(/<\/?mark>/g, ''), /What you typed[\s\S]*My long text[\s\S]*Weigh it/)
  assert.doesNotMatch(kept.text, /name="points"/)
  assert.equal((await readWork(back)).status, 'returned')
})

test('the text of a student is put into the feedback as a quotation, and nothing is saved', async () => {
  const { submissions } = await courseWith('Quoting', ['Quoted'])
  const [id = ''] = submissions
  const page = await (await carla()).open(`/staff/grading/works/${id}`)
  const quoted = await send(await carla(), page, { put: 'feedback', points: '7', feedback: 'I read:' })
  assert.equal(quoted.status, 200)
  assert.match(quoted.text, /value="7"/)
  assert.match(
    quoted.text,
    /name="feedback"[^>]*>\s*I read:\n\n&gt; It rose \\\*twice\\\*\.\\\n&gt; 1\\\. At noon\n&gt;\n&gt; \\# And at night \\&lt;b\\&gt;\n\n<\/textarea>/,
  )
  assert.match(quoted.text, /<form[^>]* data-unsaved/)
  assert.equal((await readWork(id)).status, 'submitted')
  const feedback = /name="feedback"[^>]*>\n([^<]*)</.exec(quoted.text)?.[1]?.replaceAll('&gt;', '>') ?? ''
  const graded = await send(await carla(), quoted, { act: 'save', points: '7', feedback })
  assert.match(readNotice(graded), /grade is saved/)
  assert.match((await readWork(id)).feedback, /^I read:\n\n> It rose [\s\S]* at night \S+$/)
})

test('an answer is quoted too, and two who grade an attempt see what the other one wrote', async () => {
  const { id: course, lessons } = await teach(await ada(), 'Quoting answers', [{ name: 'Why', type: 'quiz' }])
  const questions = [{ kind: 'text', grading: 'manual', prompt: 'Why?', points: 4 }]
  await (await ada()).write('PUT', `/lessons/${lessons[0]}/quiz`, { questions })
  await enrollIn(app, 'dev', course)
  const { id, questions: asked } = await beginQuiz(await dev(), lessons[0] ?? '')
  await saveQuiz(await dev(), id, [{ question_id: asked[0].id, text: 'Because *I* say so' }])
  await submitQuiz(await dev(), id)
  const [points, feedback] = [`points_${asked[0].id}`, `feedback_${asked[0].id}`]
  const path = `/staff/grading/attempts/${id}`
  const page = await (await owner()).open(path)
  const quoted = await (await owner()).submit(formWith(page, points), [['put', feedback]])
  assert.match(quoted.text, /&gt; Because \\\*I\\\* say so/)
  await (await owner()).submit(formWith(page, points), [
    ['act', 'save'],
    [points, '1'],
    [feedback, 'No reason'],
  ])
  const late = await (await owner()).submit(formWith(page, points), [
    ['act', 'save'],
    [points, '3'],
    [feedback, 'A reason'],
  ])
  assert.equal(late.status, 412)
  assert.match(
    /<section class="card conflict"[\s\S]*?<\/section>/.exec(late.text)?.[0] ?? '',
    /Question 1: Feedback[\s\S]*<mark>A<\/mark> reason[\s\S]*<mark>No<\/mark> reason/,
  )
  assert.equal((await (await ada()).get(`/quiz-attempts/${id}`)).json.questions[0].feedback, 'No reason')
})

test('the page of work leads to the person, and to their deadline and the opening of the lesson', async () => {
  const { submissions, enrollment, lessons } = await courseWith('Leading on', ['Leading'])
  const page = await (await carla()).open(`/staff/grading/works/${submissions[0]}`)
  const links = listLinks(page)
  const person = `/staff/people/${toId('mem', await readMemberId(app, 'dev'))}`
  for (const path of [person, `/staff/students/${enrollment}/lessons/${lessons[0]}`]) {
    assert.ok(links.includes(path), path)
    assert.equal((await (await carla()).open(path)).status, 200, path)
  }
})
