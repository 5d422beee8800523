import type { Database } from '#src/contract/db.ts'
import { fillEach } from '#src/contract/language.ts'
import { type Checked, type Finding, type Provider, paymentProvider } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { inTime } from '#src/kit/deadline.ts'
import { texts } from '#src/texts/index.ts'
import { findCallableProvider } from './lookups.ts'
import { findProviderRow, type ProviderRow } from './queries.ts'
import { buildWebhookUrl, paymentMode, providerUnavailable } from './rules.ts'
import { readNeeds } from './views.ts'

/** What calling a provider needs: a school, the database outside any transaction, and keys. */
export type Parts = { readonly database: Database; readonly school: School; keyFor(purpose: string): Buffer }

/** A provider of a school as it is stored, and what calls it, unless it has no keys or no area declares it. */
type Opened = { readonly row: ProviderRow; readonly provider: Provider | undefined }

/** A provider of a school, with secrets in place of those that are stored if some are given; undefined when it is not set. */
export const openProvider = (
  { database, school, keyFor }: Parts,
  name: string,
  tried: Readonly<Record<string, string>> = {},
): Promise<Opened | undefined> =>
  database.statements(school.id, async db => {
    const row = await findProviderRow(db, school.id, name)
    if (row === undefined) return undefined
    const callable = await findCallableProvider({ db, school, keyFor }, name)
    const request = { name, database, secrets: { ...callable?.secrets, ...tried }, keyFor }
    const [provider] = (await paymentProvider.call(request, { db, school })).filter(one => one !== undefined)
    return { row, provider }
  })

/** The refusal for a provider that is not set. */
export const notSet = (name: string): Refusal => new Refusal(notFound, `The provider ${name} is not set.`)

/** A provider that can be called. Refuses with 404 one that is not set, and with 409 one without keys. */
export const getOpened = async (
  parts: Parts,
  name: string,
  tried?: Readonly<Record<string, string>>,
): Promise<Opened & { readonly provider: Provider }> => {
  const opened = await openProvider(parts, name, tried)
  if (opened === undefined || name === 'manual') throw notSet(name)
  const { row, provider } = opened
  if (provider === undefined) throw new Refusal(invalidState, `The provider ${name} has no keys. Set them first.`)
  return { row, provider }
}

const CALL_MS = 20_000

/** The answer of a provider within 20 seconds; refuses with 503 without one. */
export const askProvider = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await inTime(call, CALL_MS)
  } catch (error) {
    const detail = 'The payment provider did not answer, or refused.'
    throw Object.assign(new Refusal(providerUnavailable, detail, { headers: { 'retry-after': '5' } }), { cause: error })
  }
}

const words = texts.school.selling.providers.findings

const MAX_FINDINGS = 40

const buildSilence = (address: string): Finding => ({
  code: 'never_heard',
  level: 'warning',
  text: words.neverHeard.text,
  how: fillEach(words.neverHeard.how, { address }),
})

/** Checks the account and the keys of a provider, which changes nothing there, and whether it was ever heard from. */
export const checkAtProvider = async ({ database, school }: Parts, provider: Provider): Promise<Checked> => {
  const { id, currency } = school
  const webhookUrl = buildWebhookUrl(school, provider.name)
  const { account, findings } = await askProvider(provider.check({ webhookUrl, currency, mode: paymentMode(school) }))
  const { isSilent } = await database.statements(id, db => readNeeds({ db, school }, provider.name))
  const all = isSilent ? [...findings, buildSilence(webhookUrl)] : findings
  return { account, findings: all.slice(0, MAX_FINDINGS) }
}
