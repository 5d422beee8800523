import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { assertAccessible, createWalk, photograph, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { importer, readTable } from '#testing/imports.ts'
import { startMailbox } from '#testing/mail.ts'

let chromium: Browser
// The worker reads, checks and imports; it runs where mails are sent.
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => Promise.all([chromium.close(), mailbox?.stop()]))

const SCREENS = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 360, height: 740 },
] as const

let count = 0

/** Checks a page in each width and scheme: that it fits, and that a screen reader can use it. */
const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const { name: size, ...viewport } of SCREENS) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await photograph(page, `${name}-${size}-${colorScheme}`, ++count)
      await assertAccessible(page)
    }
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    assert.equal(wider, false, `${name} scrolls sideways on a ${size}`)
  }
}

type Importer = Awaited<ReturnType<typeof importer>>

const readIn = async (own: Importer, bytes: Buffer | string, filename?: string): Promise<string> => {
  const { json, text } = await own.begin(Buffer.from(bytes), filename)
  assert.ok(json.id, text)
  await own.read(json.id)
  return json.id
}

const PEOPLE = [
  'Email address,Full name,Labels,Mobile,Member since,Newsletter,T-shirt',
  'alice@learners.example,Alice Brito,rye; newsletter,+351 912 345 678,2025-09-27,yes,M',
  'bruno@learners;example,Bruno Sá,rye,,2025-09-03,no,L',
  'ALICE@learners.example,Alice Brito,rye,,,yes,M',
  'greta@learners.example,Greta Lind,,4.91701E+11,2025-10-01,yes,S',
  ',Hugo Vaz,,,2025-10-01,yes,S',
  'ines@learners.example,,oven,,2025-10-02,perhaps,S',
  'joana@learners.example,Joana Reis,oven,,31.02.2025,yes,S',
  'ben@crumb-and-crust.example,Ben,oven,,,yes,S',
  ...Array.from({ length: 40 }, (_, at) => `row${at}@learners${at < 12 ? ';' : '.'}example,Person ${at},oven,,,yes,S`),
].join('\r\n')

const LEARNING = [
  'Email,Name,Course,Enrolled on,Progress',
  'kim@learners.example,Kim Dahl,First loaf,2025-09-27,40 %',
  'lea@learners.example,Lea Roth,Sourdogh,2025-09-27,100 %',
  'max@learners.example,Max Roth,Sourdough from scratch,2025-10-27,80 %',
  'femi@crumb-and-crust.example,Femi,Sourdough from scratch,2025-10-27,80 %',
].join('\r\n')

const setStatus = (id: string, status: string, handled = 0, problem: string | null = null) =>
  app.database.query(
    `update imports set status = $2, handled_count = $3, problem = $4::jsonb, revision = revision + 1, position = null
     where id = $1`,
    [fromId('imp', id), status, handled, problem],
  )

const chooseLanguage = async ({ goto, page, fill }: Walker, language: string): Promise<void> => {
  await goto('/account/profile')
  await page.selectOption('select[name=locale]', language)
  await fill({})
  await page.waitForSelector('#done')
}

test('an import fits and can be used with a screen reader in each of its states, in each scheme and on every width', {
  timeout: 600_000,
}, async () => {
  const walker = await walk.start('desktop')
  await enterConsole(walker, 'desktop', '/staff/imports')
  const { page, goto } = walker
  await page.waitForURL('**/staff/imports')
  // A page that reloads while it is looked at has no axe.
  await page.route('**/staff/imports/*/imp_*', async route => {
    const response = await route.fetch({ maxRedirects: 0 })
    const { refresh: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  const see = async (path: string, name: string, status?: string): Promise<void> => {
    await goto(path)
    if (status !== undefined) assert.equal(await page.innerText('main .pill'), status)
    await lookAt(page, name)
  }
  await see('/staff/imports', 'list')
  await app.database.query('delete from import_rows where school_id = $1', [app.a.id])
  await app.database.query('delete from imports where school_id = $1', [app.a.id])
  await see('/staff/imports', 'list-empty')
  await see('/staff/imports/new?kind=people', 'new')
  const [ada, teacher] = [await importer(app, 'ada'), await importer(app, 'ada', 'learning')]
  const old = await readIn(ada, Buffer.from('d0cf11e0a1b11ae1000000000000000000', 'hex'), 'old.xls.csv')
  await see(`/staff/imports/people/${old}`, 'unreadable', 'Cannot be read')
  const sheets = await readIn(ada, await readTable('google-sheets.csv'), 'google-sheets.csv')
  await see(`/staff/imports/people/${sheets}`, 'ambiguous', 'Not checked yet')
  await page.click('button[name=act][value=check]')
  await page.waitForSelector('#complaint')
  await lookAt(page, 'refused')
  const ansi = await readIn(ada, await readTable('excel-german-ansi.csv'), 'excel-german-ansi.csv')
  await see(`/staff/imports/people/${ansi}`, 'ready', 'Not checked yet')
  const learning = await readIn(teacher, LEARNING, 'students.csv')
  await see(`/staff/imports/learning/${learning}`, 'ready-learning', 'Not checked yet')
  await teacher.check(learning)
  await see(`/staff/imports/learning/${learning}`, 'checked-learning', 'Ready to import')
  const people = await readIn(ada, PEOPLE, 'bakers.csv')
  await setStatus(people, 'reading')
  await see(`/staff/imports/people/${people}`, 'reading', 'Being read')
  await setStatus(people, 'checking', 20)
  await see(`/staff/imports/people/${people}`, 'checking', 'Being checked')
  await setStatus(people, 'ready')
  await ada.check(people)
  await see(`/staff/imports/people/${people}`, 'checked', 'Ready to import')
  await setStatus(people, 'running', 20)
  await see(`/staff/imports/people/${people}`, 'running', 'Running')
  await setStatus(people, 'stopped', 20, '{"code":"role_required","message":"may not"}')
  await see(`/staff/imports/people/${people}`, 'stopped', 'Stopped')
  await setStatus(people, 'checked')
  await ada.run(people)
  await page.goto(`${app.a.baseUrl}/staff/imports/people/${people}`)
  await page.click('details:has([name=act][value=undo]) > summary')
  await lookAt(page, 'completed')
  await teacher.run(learning)
  await see(`/staff/imports/learning/${learning}`, 'completed-learning', 'Completed')
  await app.database.query(`update members set name = 'Alice B.' where email = 'alice@learners.example'`)
  await ada.undo(people)
  await see(`/staff/imports/people/${people}`, 'undone', 'Undone')
  await setStatus(people, 'undoing', 20)
  await see(`/staff/imports/people/${people}`, 'undoing', 'Being undone')
  for (const language of ['pt', 'es']) {
    await chooseLanguage(walker, language)
    await see(`/staff/imports/people/${sheets}`, `ambiguous-${language}`)
    await see(`/staff/imports/learning/${learning}`, `completed-${language}`)
  }
  await walker.close()
})
