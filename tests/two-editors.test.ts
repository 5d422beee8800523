import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { readShownForms, type ShownForm } from '#testing/controls.ts'
import type { TestReply } from '#testing/http.ts'
import { putForm } from '#testing/school-forms.ts'
import { once, readNotice, sendFiles } from '#testing/staff-pages.ts'

const app = testApp()

const enter = (name: 'ada' | 'ben') =>
  once(() => enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD }))
const [ada, ben] = [enter('ada'), enter('ben')]

/** Makes something by the API, and returns its id. */
const make = async (path: string, scope: string, body: object): Promise<string> => {
  const { json, text } = await (await app.actor('ada', { scopes: [scope] })).write('POST', path, body)
  assert.ok(json.id, text)
  return json.id
}

/** Pages of one form, each with a field that two people change. */
const pages: readonly { readonly open: () => Promise<string>; readonly field: string }[] = [
  {
    open: async () =>
      `/staff/products/${await make('/digital-products', 'digital_products:write', { name: 'Of two' })}/edit`,
    field: 'subtitle',
  },
  {
    open: async () =>
      `/staff/plans/${await make('/membership-plans', 'membership_plans:write', { name: 'Of two', plan_type: 'recurring' })}/edit`,
    field: 'name',
  },
  {
    open: async () => `/staff/lecturers/${await make('/lecturers', 'lecturers:write', { display_name: 'Of two' })}`,
    field: 'bio',
  },
  {
    open: async () =>
      `/staff/certificates/${await make('/certificate-templates', 'courses:write', { name: 'Of two' })}`,
    field: 'text',
  },
  { open: async () => '/staff/settings/school', field: 'description' },
  {
    open: async () => {
      const fields = [{ id: 'why', type: 'text', label: 'Why?' }]
      return `/staff/forms/${await putForm(app, { slug: 'of-two', fields }, { isDraft: true })}`
    },
    field: 'field.0.label',
  },
]

const findForm = (page: TestReply, field: string): ShownForm =>
  readShownForms(page).find(({ controls }) => controls.some(({ name }) => name === field)) ??
  assert.fail(`${page.status} ${readNotice(page)}: no form with ${field}`)

const send = (
  browser: Browser,
  page: TestReply,
  field: string,
  changes: Readonly<Record<string, string>>,
): Promise<TestReply> => {
  const { action, hidden, controls } = findForm(page, field)
  const shown = controls.filter(({ type }) => type !== 'file')
  const fields = [...hidden, ...shown.flatMap(({ name, values }) => values.map(value => [name, value] as const))]
  const form = { action, fields }
  const hasFiles = page.text.includes(`action="${action}" id="`) && /id="(?:profile|template)"/.test(page.text)
  return hasFiles ? sendFiles(app, browser, form, {}, changes) : browser.submit(form, Object.entries(changes))
}

for (const { open, field } of pages)
  test(`two people who change ${field} see both texts and choose`, async () => {
    const path = await open()
    const [mine, theirs] = [await (await ada()).open(path), await (await ben()).open(path)]
    assert.match(mine.text, /data-draft="/)
    const stored = await send(await ben(), theirs, field, { act: 'save', [field]: 'Rye and wheat' })
    assert.ok(stored.status < 400 && stored.text.includes('id="done"'), `${stored.status} ${readNotice(stored)}`)
    const refused = await send(await ada(), mine, field, { act: 'save', [field]: 'Rye and spelt' })
    assert.equal(refused.status, 412)
    const conflict = /<section class="card conflict"[\s\S]*?<\/section>/.exec(refused.text)?.[0] ?? ''
    assert.match(conflict, /Rye and <mark>spelt<\/mark>[\s\S]*Rye and <mark>wheat<\/mark>/)
    assert.match(refused.text, /<form[^>]* data-unsaved/)
    const taken = await send(await ada(), refused, field, { act: 'take' })
    assert.equal(taken.status, 200)
    assert.match(taken.text, /data-taken>[\s\S]*Rye and <mark>spelt<\/mark>/)
    assert.doesNotMatch(taken.text, /<form[^>]* data-unsaved/)
    const shown = findForm(taken, field).controls.find(({ name }) => name === field)
    assert.deepEqual(shown?.values, ['Rye and wheat'])
    const kept = await send(await ada(), refused, field, { act: 'save', [field]: 'Rye and spelt' })
    assert.ok(kept.status < 400 && kept.text.includes('id="done"'))
    assert.ok((await (await ada()).open(path)).text.includes('Rye and spelt'))
  })
