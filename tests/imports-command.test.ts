import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { importer } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { stoa, stoaHere } from '#testing/stoa.ts'

// With a mailbox the worker runs, as in a server beside the command.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const folder = await mkdtemp(join(tmpdir(), 'stoa-import-'))
after(async () => {
  await mailbox.stop()
  await rm(folder, { recursive: true })
})

const someone = (): string => `${randomUUID()}@command.example`

const writeLines = async (name: string, lines: readonly string[]): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

const readSettings = () => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_STORAGE: app.folder,
})

const run = (...args: readonly string[]) => stoa(['import', ...args, '--school', app.a.baseUrl], readSettings())

const AS_ADA = ['--as', people.ada.email]

const findMember = async (email: string) => {
  const ada = await importer(app, 'ada')
  return (await ada.get(`/members?email=${encodeURIComponent(email)}`)).json.data[0]
}

test('a file is checked unless --run says otherwise, and a row that fails fails the command', async () => {
  const [email, other] = [someone(), someone()]
  const path = await writeLines('people.csv', ['Mail,Who,Since', `${email},Una Person,03/04/2026`, `${other},Other,`])
  const report = join(folder, 'report.csv')
  const mapped = ['--map', 'Mail=email', '--map', 'Who=name', '--map', 'Since=joined_at:day_month_year']
  const checked = await run('people', path, ...AS_ADA, ...mapped, '--option', 'tags=spring,by command')
  assert.deepEqual([checked.code, checked.err.includes('Error')], [0, false], checked.err)
  assert.match(checked.out, /^Checked imp_\w+: 2 created, 0 updated, 0 unchanged, 0 skipped, 0 failed\.$/m)
  assert.equal(await findMember(email), undefined)
  const done = await run('people', path, ...AS_ADA, ...mapped, '--option', 'tags=spring,by command', '--run')
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /^Imported imp_\w+: 2 created/m)
  const member = await findMember(email)
  assert.deepEqual(
    [member.name, member.joined_at.slice(0, 7), member.tags],
    ['Una Person', '2026-04', ['by command', 'spring']],
  )
  const bad = await writeLines('bad.csv', [
    'Email,Name,Phone',
    `${someone()},Third,12345678`,
    `${someone()},Bad,"4,91701E+11"`,
  ])
  const failed = await run('people', bad, ...AS_ADA, '--report', report)
  assert.equal(failed.code, 1)
  assert.match(failed.err, /^stoa: 1 rows? failed; --report FILE says which, and why$/m)
  assert.match(await readFile(report, 'utf8'), /4,91701E\+11"?[,;]failed[,;].*digits_lost/)
})

test('students are imported into the course that --course names, as the member whom --as names', async () => {
  const email = someone()
  const path = await writeLines('students.csv', ['Email,Name', `${email},Student Person`])
  const done = await run('students', path, '--as', people.carla.email, '--course', 'first-loaf', '--run')
  assert.equal(done.code, 0, done.err)
  const ada = await importer(app, 'ada', 'learning')
  const { id } = await findMember(email)
  assert.equal((await ada.get(`/enrollments?member_id=${id}`)).json.data[0].course_name, 'First loaf')
})

test('what cannot be imported is said in a sentence, and nothing is begun', async () => {
  const path = await writeLines('refused.csv', ['Email,Name', `${someone()},Refused`])
  const cases = [
    [['people', path], /name with --as EMAIL the member of the staff who imports/],
    [['people', path, '--as', 'nobody@crumb.example'], /no active member .* nobody@crumb\.example/],
    [['people', path, '--as', people.dev.email], /lecturer or more/],
    [['people', join(folder, 'none.csv'), ...AS_ADA], /there is no file/],
    [['people', join(folder, 'list.ods'), ...AS_ADA], /is none of \.csv/],
    [['folk', path, ...AS_ADA], /usage: stoa import people\|students FILE/],
    [['people', path, ...AS_ADA, '--map', 'Nothing=email'], /the file has no column "Nothing"; it has Email, Name/],
    [['people', path, ...AS_ADA, '--map', 'Name=salary'], /mapping.*field/],
    [['people', path, ...AS_ADA, '--option', 'existing=replace'], /existing/],
    [['students', path, ...AS_ADA, '--course', 'no-such-course'], /course/i],
  ] as const
  for (const [args, sentence] of cases) {
    const { code, err } = await stoaHere(['import', ...args, '--school', app.a.baseUrl], readSettings())
    assert.equal(code, 1, `${args.join(' ')}: ${err}`)
    assert.match(err, sentence, args.join(' '))
    assert.doesNotMatch(err, /\n {4}at /)
  }
})
