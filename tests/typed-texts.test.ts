import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '#src/kit/text.ts'
import { signInAt } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { stoa } from '#testing/stoa.ts'

const app = testApp()

const readWords = async (text: string, isSearched: boolean): Promise<string[]> => {
  const rows = await app.database.query<{ word: string }>('select stoa.words_of($1, $2, 1000000) as word', [
    text,
    isSearched,
  ])
  return rows.map(({ word }) => word)
}

test('the database divides folded text at each character that is neither a letter nor a digit, in all of Unicode', async () => {
  const characters = Array.from({ length: 0x110000 - 1 }, (_, index) => index + 1)
    .filter(code => code < 0xd800 || code > 0xdfff)
    .map(code => String.fromCodePoint(code))
    // Of the many that are alike, one in a hundred.
    .filter(
      (one, index) =>
        !/[\p{Cn}\p{Co}]/u.test(one) &&
        (index % 100 === 0 || !/[\p{sc=Han}\p{sc=Hangul}\p{sc=Egyp}\p{sc=Tang}]/u.test(one)),
    )
  const folded = [...new Set(fold(characters.join(' ')))]
  const isUnspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
  const divided = (one: string): string[] => {
    if (!/[\p{L}\p{N}]/u.test(one)) return ['ab', 'cd']
    return isUnspaced.test(one) ? ['ab', one, 'cd'] : [`ab${one}cd`]
  }
  assert.ok(folded.length > 20_000)
  const found = await readWords(folded.map(one => `ab${one}cd`).join(' '), true)
  assert.deepEqual(found, folded.flatMap(divided))
})

test('every part of a text without spaces is the beginning of a word, and searched text is cut into parts', async () => {
  assert.deepEqual(await readWords('面包学pdf 12.5', false), ['面包学', '包学', '学', 'pdf', '12', '5'])
  assert.deepEqual(await readWords('一二三四五六七八九十', true), ['一二三四五六七八', '九十'])
})

const NAME = '“Grace’s” ¿Pão? Übung—Straße · «Brot» 面包学校 「入門」 O’Brien–Sauerteig'
const FOUND = [
  'grace',
  "o'brien",
  'brien',
  'pao',
  'übung',
  'STRASSE',
  'brot',
  '包学',
  '面包',
  '入門',
  'sauer',
  '“grace',
  'o’brien',
]
const NOT_FOUND = ['校面', 'xyz']

const lists: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>])[] = [
  ['/courses', { name: NAME }],
  ['/members', { name: NAME, email: 'grace@crumb.example', send_invitation: false }],
  ['/groups', { name: NAME }],
  ['/coupons', { name: NAME, kind: 'percent', percent_off: '10' }],
  ['/posts', { title: NAME }],
  ['/pages', { title: NAME }],
  [
    '/events',
    { name: NAME, starts_at: { local: '2090-01-10T19:00', time_zone: 'Europe/Lisbon' }, duration_minutes: 60 },
  ],
  ['/digital-products', { name: NAME }],
  ['/membership-plans', { name: NAME, plan_type: 'lifetime' }],
  ['/lecturers', { display_name: NAME }],
]

test('each list finds a word behind any punctuation, and within text without spaces', async () => {
  for (const [path, body] of lists) {
    const resource = path.slice(1).replaceAll('-', '_')
    const ada = await app.actor('ada', {
      scopes: [
        ...(resource === 'groups' ? ['members:read', 'members:write'] : [`${resource}:read`, `${resource}:write`]),
      ],
    })
    const created = await ada.write('POST', path, body)
    assert.equal(created.status, 201, `${path} ${created.text}`)
    for (const q of FOUND) {
      const list = await ada.get(`${path}?q=${encodeURIComponent(q)}`)
      assert.deepEqual(
        list.json.data?.map(({ id }: { id: string }) => id),
        [created.json.id],
        `${path} ${q} ${list.text.slice(0, 300)}`,
      )
    }
    for (const q of NOT_FOUND)
      assert.deepEqual((await ada.get(`${path}?q=${encodeURIComponent(q)}`)).json.data, [], `${path} ${q}`)
  }
})

const MEMBERS = { scopes: ['members:read', 'members:write'] }

test('what is typed or pasted with what nobody sees is stored and found without it', async () => {
  const ada = await app.actor('ada', MEMBERS)
  const created = await ada.write('POST', '/members', {
    email: ' \u200bjan@bücher.example\u00a0',
    name: ' Jan\u200b Visser ',
    phone: '\u202a+351\u00a021\u2011000\u20110٠٠0\u202c',
    external_id: '\ufeffcrm-\u200b9 ',
    send_invitation: false,
  })
  assert.equal(created.status, 201, created.text)
  const { email, name, phone, external_id: externalId } = created.json
  assert.deepEqual([email, name, phone, externalId], ['jan@bücher.example', 'Jan Visser', '+351 21-000-0000', 'crm-9'])
  const found = [
    '/members?email=jan@xn--bcher-kva.example',
    '/members?email=%20JAN@B%C3%9CCHER.example',
    '/members?q=bucher',
    '/members?q=Vis%E2%80%8Bser',
  ]
  for (const path of found)
    assert.deepEqual(
      (await ada.get(path)).json.data.map(({ id }: { id: string }) => id),
      [created.json.id],
      path,
    )
  assert.equal((await ada.get(`/members/external:${encodeURIComponent('crm-\u200b9')}`)).status, 200)
  const again = await ada.write('POST', '/members', {
    email: 'jan@xn--bcher-kva.example',
    name: 'J',
    send_invitation: false,
  })
  assert.deepEqual([again.status, again.json.code], [409, 'email_taken'])
  const batch = await ada.write('POST', '/members/batches', {
    rows: [{ email: '\u200bjan@XN--bcher-kva.example ', phone: '21\u2212000' }],
  })
  assert.deepEqual([batch.json.results[0].status, batch.json.results[0].id], ['updated', created.json.id])
})

test('a domain in ASCII is shown in Unicode unless that looks like another one', async () => {
  const ada = await app.actor('ada', MEMBERS)
  const cases = [
    ['a@xn--bcher-kva.example', 'a@bücher.example'],
    ['b@аpple.example', 'b@xn--pple-43d.example'],
    ['c@аррӏе.example', 'c@xn--80ak6aa92e.example'],
    ['d@пекарня.example', 'd@пекарня.example'],
    ['e@xn--a.example', 'e@xn--a.example'],
    ['f@Crumb.Example', 'f@Crumb.Example'],
  ]
  for (const [typed, shown] of cases) {
    const created = await ada.write('POST', '/members', { email: typed, name: 'A', send_invitation: false })
    assert.equal(created.json.email, shown, created.text)
  }
})

test('addresses that an older version stored are folded by migrate, which lists those that two members have', async () => {
  const { query } = app.database
  const stored = (email: string, name: string) =>
    query('update members set email = $2, email_folded = $2 where school_id = $1 and name = $3', [
      app.a.id,
      email,
      name,
    ])
  await stored('dev@bäcker.example', 'Dev Patel')
  await stored('eva@käse.example', 'Ben Okafor')
  await stored('eva@xn--kse-qla.example', 'Carla Nunes')
  await query(`delete from stoa.migrations where name = 'step_email_domains'`)
  const env = {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_OWNER_DATABASE_URL: app.database.ownerUrl,
    STOA_SECRET: app.secret,
  }
  const { code, out, err } = await stoa(['migrate', '--json'], env)
  assert.equal(code, 0, err)
  const report = JSON.parse(out)
  assert.deepEqual(report.applied, ['step_email_domains'])
  assert.equal(report.not_joined.length, 1)
  assert.match(
    report.not_joined[0],
    /^mem_\w+ and mem_\w+ have one address, eva@käse\.example, in two spellings; merge them$/,
  )
  const doctor = JSON.parse((await stoa(['doctor', '--json'], env)).out)
  assert.ok(doctor.findings.some(({ says }: { says: string }) => says === report.not_joined[0]))
  for (const email of ['dev@bäcker.example', ' dev@xn--bcker-gra.example\u200b', 'DEV@BÄCKER.example']) {
    const browser = openBrowser(app.port, app.a)
    const page = await signInAt(browser, { email, password: PASSWORD })
    assert.equal(page.status, 200, email)
    assert.match(page.text, /dev@bäcker\.example/)
  }
  const ada = await app.actor('ada', MEMBERS)
  const [ben] = (await ada.get('/members?q=okafor')).json.data
  const changed = await ada.write('PATCH', `/members/${ben.id}`, { phone: '123' })
  assert.equal(changed.status, 200, 'who shares an address can still be changed')
})

test('names that an older version divided are divided again by migrate', async () => {
  const { query } = app.database
  const words = async () =>
    (
      await query<{ words: string }>(
        'select words::text as words from stoa.search_entries order by school_id, kind, id',
      )
    ).map(row => row.words)
  const before = await words()
  await query(`update stoa.search_entries e set words = array_to_tsvector(array['old']) where e.kind in (
    select kind from stoa.search_entries where words::text ~ '[^\\x01-\\x7f]')
    and e.words::text ~ '[^\\x01-\\x7f]'`)
  assert.notDeepEqual(await words(), before)
  await query(`delete from stoa.migrations where name = 'step_search_words'`)
  const env = { STOA_DATABASE_URL: app.database.appUrl, STOA_OWNER_DATABASE_URL: app.database.ownerUrl }
  const { code, err } = await stoa(['migrate', '--json'], env)
  assert.equal(code, 0, err)
  assert.deepEqual(await words(), before)
})
