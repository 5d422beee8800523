import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { operations } from '#testing/matrix.ts'

// The operations of the staff that no page of the console performs, each with the reason.
const WITHOUT: Readonly<Record<string, string>> = {
  createMemberBatch: 'an import of people, which has its own pages later',
  getAppearanceVersion: 'the page of the appearance lists its versions and restores them',
  getCertificate: 'the page of an enrollment lists the certificates of the person',
  getFormVersion: 'the page of a form says what it asked when each submission was sent',
  getInvoice: 'the page of an order lists its documents',
  getMemberNote: 'the page of a person lists their notes',
  getPostVersion: 'the page of a post lists its versions and restores them',
  getQuizQuestion: 'the page of a quiz lists its questions',
  getRefund: 'the page of an order lists its refunds',
  getRegistration: 'the page of a date lists its registrations',
  listFormVersions: 'the page of a form says what it asked when each submission was sent',
  listMetrics: 'the pages of analytics are about metrics that are known',
}

const WEB = new URL('../src/web/', import.meta.url)

const readSources = (): string =>
  readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => readFileSync(new URL(name, WEB), 'utf8'))
    .join('\n')

test('every operation that staff may call is performed by a page, or has a reason why none does', () => {
  const sources = readSources()
  const staff = operations.filter(({ who }) => ['staff', 'owner', 'lecturer_of'].includes(who))
  const missing = staff.map(({ id }) => id).filter(id => !sources.includes(`'${id}'`))
  assert.deepEqual(missing.toSorted(), Object.keys(WITHOUT).toSorted())
})
