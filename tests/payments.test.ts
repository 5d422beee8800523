import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { closedKeys, listSealedKeys, sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { people } from '#src/demo/index.ts'
import { purposeKey, unseal } from '#src/kit/crypto.ts'
import { enterAccount, formTo, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { tablesWith } from '#testing/database.ts'
import type { TestReply } from '#testing/http.ts'
import { addSchool } from '#testing/schools.ts'
import '#testing/outside-provider.ts'
import { LAUNCHER, type Ran, stoa, stoaHere } from '#testing/stoa.ts'

const app = testApp()
// A school that has set nothing.
before(() => app.database.query('delete from payment_providers'))
const PATH = '/staff/payments'
const KEY = 'sk_test_51Crumb0and0Crust0Key1'
const OTHER_KEY = 'sk_test_51Crumb0and0Crust0Key2'
const LIVE_KEY = 'sk_live_51Crumb0and0Crust0Key3'
const OUTSIDE = new URL('../testing/outside-provider.ts', import.meta.url).href
const HOOK = 'whsec_Crumb0and0Crust0Hook/+=4'

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

type Row = { readonly name: string; readonly mode: string | null; readonly secrets: string[] | null }

/** The providers of the first school with the ends of their secrets. */
const stored = () =>
  app.database.query<Row>(
    `select p.name, p.mode, array_agg(s.name || ' ' || s.last4 order by s.name) filter (where s.name is not null) as secrets
     from payment_providers p left join payment_secrets s on s.school_id = p.school_id and s.provider = p.name
     where p.school_id = $1 group by p.name, p.mode order by p.name`,
    [app.a.id],
  )

const pageOf = (provider: string): string => `${PATH}/${provider}`

const set = async (
  browser: Browser,
  provider: string,
  typed: readonly (readonly [string, string])[] = [],
): Promise<TestReply> => {
  const path = pageOf(provider)
  return browser.submit(formTo(await browser.open(path), path, { act: 'set' }), typed)
}

const remove = async (browser: Browser, provider: string): Promise<TestReply> => {
  const path = `${pageOf(provider)}/removal`
  return browser.submit(formTo(await browser.open(path), path, { act: 'remove' }), [])
}

/** That nobody finds a secret: not in the database, a page or the log. */
const isHidden = async (secret: string, ...replies: readonly TestReply[]): Promise<void> => {
  assert.deepEqual(await tablesWith(app.database, secret), [])
  for (const { text } of replies) assert.ok(!text.includes(secret), text)
  assert.ok(!app.log.some(line => line.includes(secret)))
}

const settings = () => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATA: app.folder,
  STOA_STORAGE: app.folder,
})

const run = (args: readonly string[], input = ''): Promise<Ran> => stoaHere(args, settings(), input)

const paymentsAt = (verb: string, provider: readonly string[], school: { baseUrl: string }): string[] => [
  ...['payments', verb, ...provider],
  ...['--school', school.baseUrl, '--json'],
]

const payments = (verb: string, provider: string[] = [], input = '', school: { baseUrl: string } = app.a) =>
  run(paymentsAt(verb, provider, school), input)

const keys = (key: string, hook?: string): string =>
  `secret_key=${key}\n${hook === undefined ? '' : `webhook_secret=${hook}`}`

const setOutside = async (...lines: readonly string[]): Promise<void> => {
  const { code, err } = await payments('set', ['outside'], lines.join('\n'))
  assert.equal(code, 0, err)
}

/** The same through the launcher, as operators start it, with the area of the outside provider. */
const launched = (verb: string, provider: string[] = [], input = '') =>
  stoa(paymentsAt(verb, provider, app.a), { ...settings(), NODE_OPTIONS: `--import=${OUTSIDE}` }, LAUNCHER, input)

test('owners set and remove providers on a page, and see of secrets the last four characters only', async () => {
  const ada = await enter('ada')
  assert.match((await ada.open(PATH)).text, /There is no payment provider yet/)
  await set(ada, 'test')
  const manual = await set(ada, 'manual', [['text', 'At the bakery']])
  assert.match(manual.text, /role="status"[^>]*>The provider was saved/)
  await setOutside(keys(KEY, HOOK))
  const saved = await ada.open(pageOf('outside'))
  for (const text of [
    'Test mode: no money moves',
    'Set, ending in Key1',
    `Set, ending in ${HOOK.slice(-4)}`,
    'In your account outside: sk_test_… or sk_live_…',
    `value="${app.a.baseUrl}/webhooks/outside"`,
    '<code>payment.changed</code>',
  ])
    assert.ok(saved.text.includes(text), `${text} is not on: ${saved.text}`)
  assert.deepEqual(await stored(), [
    { name: 'manual', mode: null, secrets: null },
    { name: 'outside', mode: 'test', secrets: ['secret_key Key1', `webhook_secret ${HOOK.slice(-4)}`] },
    { name: 'test', mode: 'test', secrets: null },
  ])
  await isHidden(KEY, saved, await ada.open(PATH))
  await isHidden(HOOK, saved)
  const entries = await app.database.query<{ fields: string[]; client_id: string | null; resource_ids: string[] }>(
    `select fields, client_id, resource_ids from audit_log where operation = 'setPaymentProvider' order by id desc`,
  )
  assert.deepEqual(entries[0]?.fields, ['outside.secret_key', 'outside.webhook_secret'])
  assert.ok(entries.every(({ client_id }) => client_id === null))
  const facts = await app.database.query<{ payload: unknown }>(
    `select payload from facts where type = 'payment_provider.set' order by id desc limit 1`,
  )
  assert.deepEqual(facts[0]?.payload, { provider: 'outside', fields: ['outside.secret_key', 'outside.webhook_secret'] })
  const removed = await remove(ada, 'test')
  assert.match(removed.text, /The provider was removed/)
  assert.deepEqual(
    (await stored()).map(({ name }) => name),
    ['manual', 'outside'],
  )
})

test('a secret is sealed for its school, provider and name, and opens with the secret of the installation', async () => {
  const database = openDatabase(app.database.appUrl)
  try {
    const sealed = (await listSealedKeys(database.shared)).filter(({ kind }) => kind === 'payments')
    assert.deepEqual(
      sealed.map(({ school_id, kid }) => [school_id, kid]),
      [
        [app.a.id, 'outside/secret_key'],
        [app.a.id, 'outside/webhook_secret'],
      ],
    )
    const [key, hook] = sealed.map(({ private_sealed }) => private_sealed)
    assert.ok(key && hook)
    const open = (bytes: Buffer, kid: string) =>
      unseal(purposeKey(app.secret, sealPurposes.payments), bytes, sealContext(app.a.id, kid))
    assert.deepEqual([open(key, 'outside/secret_key'), open(hook, 'outside/webhook_secret')], [KEY, HOOK])
    assert.throws(() => open(key, 'outside/webhook_secret'))
    assert.deepEqual(closedKeys(sealed, app.secret), [])
    assert.equal(closedKeys(sealed, 'another secret of an installation, as long').length, 2)
  } finally {
    await database.close()
  }
})

test('a secret that is left out keeps its value, and a new key of the same mode keeps the webhook', async () => {
  await setOutside(keys(OTHER_KEY))
  assert.deepEqual((await stored()).at(-1)?.secrets, ['secret_key Key2', `webhook_secret ${HOOK.slice(-4)}`])
  await setOutside(`webhook_secret=${HOOK}new5`)
  assert.deepEqual((await stored()).at(-1)?.secrets, ['secret_key Key2', 'webhook_secret new5'])
})

test('a key of the wrong mode and what is no key are refused without repeating them, and nothing changes', async () => {
  const before = await stored()
  const cases: readonly (readonly [says: RegExp, line: string, value: string])[] = [
    [/for test payments only/, 'secret_key', LIVE_KEY],
    [/does not fit: In your account outside/, 'secret_key', 'pk_test_51Crumb0and0Crust0Key1'],
    [/does not fit: In your account outside/, 'secret_key', 'sk_test_short'],
    [/does not fit: In your account outside/, 'secret_key', `${KEY}<script>`],
    [/does not fit: At the endpoint/, 'webhook_secret', 'whsec_short'],
    [/must not have more than 300 characters/, 'secret_key', `sk_test_${'x'.repeat(300)}`],
  ]
  for (const [says, name, value] of cases) {
    const { code, err, out } = await payments('set', ['outside'], `${name}=${value}`)
    assert.deepEqual([code, out], [1, ''], value)
    assert.match(err, says, value)
    assert.ok(!err.includes(value))
    await isHidden(value)
  }
  assert.deepEqual(await stored(), before)
})

test('the page takes the secrets that a provider declares, keeps those that are left out, and shows none again', async () => {
  const ada = await enter('ada')
  await remove(ada, 'outside')
  const before = await stored()
  const shown = await ada.open(pageOf('outside'))
  for (const text of ['Outside payments', 'Secret key', 'At the endpoint of your account: whsec_…'])
    assert.ok(shown.text.includes(text), shown.text)
  const typed = (key: string, hook: string) =>
    set(ada, 'outside', [
      ['secret.secret_key', key],
      ['secret.webhook_secret', hook],
    ])
  const refused = await typed('sk_test_short', HOOK)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="secret_key-error">This is not what the provider gives/)
  const missing = await typed('', HOOK)
  assert.equal(missing.status, 422)
  assert.match(missing.text, /id="secret_key-error">Please enter it/)
  assert.deepEqual(await stored(), before)
  for (const secret of ['sk_test_short', HOOK]) await isHidden(secret, refused, missing)
  assert.match((await typed(` ${KEY} `, HOOK)).text, /Set, ending in Key1/)
  const replaced = await typed(OTHER_KEY, '')
  assert.match(replaced.text, /Set, ending in Key2[\s\S]*Webhook secret[\s\S]*Set, ending in/)
  await isHidden(OTHER_KEY, replaced)
  await setOutside(`webhook_secret=${HOOK}new5`)
})

test('a provider that is set twice at once is set once, and one that was removed is not removed again', async () => {
  const [ada, other] = await Promise.all([enter('ada'), enter('ada')])
  await remove(ada, 'manual')
  const path = pageOf('manual')
  const forms = await Promise.all(
    [ada, other].map(async browser => formTo(await browser.open(path), path, { act: 'set' })),
  )
  const replies = await Promise.all(
    [ada, other].map((browser, index) => post(app.port, browser, path, forms[index]?.fields ?? [])),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 303],
  )
  assert.equal((await stored()).filter(({ name }) => name === 'manual').length, 1)
  const removal = formTo(await ada.open(`${path}/removal`), `${path}/removal`, { act: 'remove' })
  assert.equal((await ada.submit(removal, [])).status, 200)
  assert.equal((await ada.submit(removal, [])).status, 404)
})

test('the page and its form are for owners alone', async () => {
  const ada = await enter('ada')
  const form = pageOf('manual')
  const { fields } = formTo(await ada.open(form), form, { act: 'set' })
  const before = await stored()
  const paths = [PATH, pageOf('outside'), `${pageOf('outside')}/removal`]
  for (const name of ['ben', 'carla', 'dev'] as const) {
    const browser = await enter(name)
    for (const path of paths) {
      const page = await browser.open(path)
      assert.equal(page.status, 403, name)
      assert.ok(!page.text.includes('Outside'))
    }
    // A token of another session opens nothing.
    assert.equal((await post(app.port, browser, form, fields)).status, 403, name)
  }
  for (const path of paths) {
    const stranger = await openWith(app.port, '', path)
    assert.equal(stranger.status, 303)
    assert.match(String(stranger.headers.location), /sign-in/)
  }
  const forged = await post(
    app.port,
    ada,
    form,
    fields.filter(([name]) => name !== 'token'),
  )
  assert.equal(forged.status, 403)
  assert.equal((await post(app.port, ada, pageOf('paypal'), fields)).status, 404)
  assert.equal((await ada.open(pageOf('paypal'))).status, 404)
  const unknown = fields.map(([name, value]): [string, string] => [name, name === 'act' ? 'sell' : value])
  assert.equal((await post(app.port, ada, form, unknown)).status, 403)
  assert.deepEqual(await stored(), before)
})

test('the page exists in Portuguese', async () => {
  await app.database.query(`update members set locale = 'pt-PT' where school_id = $1 and email = $2`, [
    app.a.id,
    people.ada.email,
  ])
  const ada = await enter('ada')
  const page = await ada.open(PATH)
  for (const text of [
    '<h1>Pagamentos</h1>',
    'Modo de teste',
    'Transferência bancária',
    'O que é oferecido aos compradores',
  ])
    assert.ok(page.text.includes(text), page.text)
  const one = await ada.open(pageOf('outside'))
  for (const text of ['Definida, terminada em Key2', 'Verificar agora', 'Para que é utilizado'])
    assert.ok(one.text.includes(text), one.text)
})

test('the operator sets a provider with secrets from standard input, shows the ends and removes it', async () => {
  await app.database.query('delete from payment_providers')
  const set = await launched('set', ['outside'], `\nwebhook_secret=${HOOK}\n secret_key = ${KEY}\n`.replace(' = ', '='))
  assert.equal(set.code, 0, set.err)
  assert.deepEqual(JSON.parse(set.out).secrets, [
    { name: 'secret_key', last4: 'Key1' },
    { name: 'webhook_secret', last4: HOOK.slice(-4) },
  ])
  const shown = await launched('show')
  assert.deepEqual(
    JSON.parse(shown.out).map(({ name, mode }: Row) => [name, mode]),
    [['outside', 'test']],
  )
  for (const { out, err } of [set, shown]) assert.ok(!out.includes(KEY) && !err.includes(KEY) && !out.includes(HOOK))
  await isHidden(KEY)
  const [entry] = await app.database.query<{ actor: string; fields: string[] }>(
    `select actor, fields from audit_log where operation = 'setPaymentProvider' order by id desc limit 1`,
  )
  assert.deepEqual(entry, { actor: 'operator', fields: ['outside.secret_key', 'outside.webhook_secret'] })
  const text = await run(['payments', 'show', '--school', app.a.baseUrl])
  assert.equal(text.out, `outside, test mode, secret_key …Key1, webhook_secret …${HOOK.slice(-4)}\n`)
  assert.equal((await launched('remove', ['outside'])).code, 0)
  assert.deepEqual([(await payments('show')).out, await stored()], ['[]\n', []])
})

test('a command never takes a secret as an argument, and repeats none in an error', async () => {
  const cases: readonly (readonly [args: string[], input: string, says: RegExp])[] = [
    [['set', 'outside', KEY], '', /read from standard input, since everybody/],
    [['set', 'outside'], '', /secret_key is missing/],
    [['set', 'outside'], 'hunter2-hunter2\n', /does not begin with secret_key= or webhook_secret=/],
    [['set', 'outside'], `${KEY}=\n`, /does not begin with secret_key= or webhook_secret=/],
    [['set', 'outside'], `${keys(KEY)}${keys(OTHER_KEY)}`, /two lines for secret_key/],
    [['set', 'outside'], keys(LIVE_KEY), /for test payments only/],
    [['set', 'outside'], 'x'.repeat(20_000), /too long/],
    [['set', 'paypal'], '', /name one of manual, (?:\w+, )*outside/],
    [['remove', 'outside'], '', /outside is not set/],
    [['remove', 'Gone'], '', /nothing at this address/],
  ]
  for (const [[verb = '', ...more], input, says] of cases) {
    const { code, out, err } = await payments(verb, more, input)
    assert.deepEqual([code, out], [1, ''], err)
    assert.match(err, says)
    assert.equal(err.trim().split('\n').length, 1)
    for (const secret of [KEY, OTHER_KEY, LIVE_KEY, 'hunter2']) assert.ok(!err.includes(secret), err)
  }
  assert.deepEqual(await stored(), [])
})

test('a school on https takes live keys only, and each school has providers of its own', async () => {
  const school = await addSchool(app, 'https://spelt.example')
  const refused = await payments('set', ['outside'], keys(KEY), school)
  assert.match(refused.err, /for live payments only/)
  assert.match((await payments('set', ['test'], '', school)).err, /for live payments only/)
  const set = await payments('set', ['outside'], keys(LIVE_KEY), school)
  assert.equal(JSON.parse(set.out).mode, 'live')
  assert.equal((await payments('show')).out, '[]\n')
  const made = await run(['schools', 'set', '--school', school.baseUrl, '--test', '1'])
  assert.equal(made.code, 0, made.err)
  const doctor = await run(['doctor'])
  assert.match(doctor.out, /warn selling at https:\S+: the provider outside has live keys, and no real payments/)
  const changed = await payments('set', ['outside'], keys(KEY), school)
  assert.equal(JSON.parse(changed.out).mode, 'test', changed.err)
})

test('secrets that are lost with the secret of the installation are deleted, and doctor says to set them again', async () => {
  await payments('set', ['outside'], keys(KEY, HOOK))
  const later = 'another secret of the installation, long'
  const changed = { ...settings(), STOA_SECRET: later }
  const refused = await stoa(['payments', 'show', '--school', app.a.baseUrl], changed)
  assert.equal(refused.code, 78, refused.err)
  const replaced = await stoaHere(['keys', 'replace-lost', '--yes'], changed)
  assert.match(replaced.out, /payments key outside\/secret_key[\s\S]*Secrets of payment providers were deleted/)
  const shown = await stoaHere(['payments', 'show', '--school', app.a.baseUrl, '--json'], changed)
  assert.deepEqual(
    JSON.parse(shown.out).map(({ name, secrets }: { name: string; secrets: unknown }) => [name, secrets]),
    [['outside', []]],
  )
  const doctor = await stoaHere(['doctor'], changed)
  assert.match(doctor.out, /warn selling at \S+: the provider outside has no secret_key; set it again/)
  const again = await stoaHere(['payments', 'set', 'outside', '--school', app.a.baseUrl], changed, keys(KEY))
  assert.equal(again.code, 0, again.err)
})

test('owners say on the page what buyers are told who pay by bank transfer', async () => {
  const ada = await enter('ada')
  const send = (...typed: readonly (readonly [string, string])[]) => set(ada, 'manual', typed)
  const told = async (): Promise<unknown> =>
    (
      await app.database.query<{ instructions: unknown }>(
        `select instructions from payment_providers where name = 'manual'`,
      )
    )[0]?.instructions
  const saved = await send(
    ['account_holder', 'Crumb & Crust'],
    ['iban', 'PT50 0002 0123 1234 5678 9015 4'],
    ['text', 'Or at\r\nthe <door>'],
  )
  assert.match(saved.text, /The provider was saved|O prestador foi guardado/)
  assert.match(saved.text, /value="PT50 0002 0123 1234 5678 9015 4"/)
  assert.match(saved.text, /Crumb &amp; Crust[\s\S]*the &lt;door&gt;/)
  const stored = { account_holder: 'Crumb & Crust', iban: 'PT50000201231234567890154', text: 'Or at\nthe <door>' }
  assert.deepEqual(await told(), stored)
  const refused = await send(['account_holder', 'Crumb'], ['iban', 'PT51 0002 0123 1234 5678 9015 4'], ['text', ''])
  assert.equal(refused.status, 422)
  assert.match(refused.text, /class="field-error" id="iban-error"/)
  assert.match(refused.text, /value="PT51 0002 0123 1234 5678 9015 4"/)
  assert.deepEqual(await told(), stored)
  await send(['account_holder', ''], ['iban', ''], ['text', ''])
  assert.deepEqual(await told(), { account_holder: null, iban: null, text: null })
})
