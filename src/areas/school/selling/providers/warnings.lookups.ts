import { listDeclaredProviders } from '#src/contract/payment-providers.ts'
import type { Finding } from '#src/contract/payments.ts'
import { checkAtProvider, openProvider, type Parts } from './checking.lookups.ts'
import { findCallableProvider } from './lookups.ts'
import { listProviders, type ProviderRow } from './queries.ts'
import { buildWebhookUrl } from './rules.ts'
import type { ProviderCounts } from './schema.ts'
import { readNeeds } from './views.ts'

const list = (parts: Parts): Promise<ProviderRow[]> =>
  parts.database.statements(parts.school.id, db => listProviders(db, parts.school.id))

/** The secrets of payment providers that cannot be unsealed, in words for the operator: a line for each provider. */
export const listClosedSecrets = async (parts: Parts): Promise<string[]> => {
  const { database, school, keyFor } = parts
  const closed = (await list(parts)).map(async ({ name, secrets }) => {
    const callable = await database.statements(school.id, db => findCallableProvider({ db, school, keyFor }, name))
    const lost = secrets.map(one => one.name).filter(one => callable?.secrets[one] === undefined)
    return lost.length === 0 ? [] : [`${lost.join(' and ')} of ${name}`]
  })
  return (await Promise.all(closed)).flat()
}

const describe = (name: string, address: string, { code, text, how }: Finding): string => {
  const said = [text.en, ...(how === null ? [] : [how.en])].join(' ')
  return `the check of ${name} found: ${said}${code === 'webhook_missing' ? ` The address is ${address}` : ''}`
}

// Asked now, since what the last check found may be of another address; and what that one found where nothing is answered.
const checkNow = async (parts: Parts, row: ProviderRow): Promise<string[]> => {
  const { name } = row
  const provider = (await openProvider(parts, name))?.provider
  const checked = provider && (await checkAtProvider(parts, provider).catch(() => undefined))
  const isSilent = provider !== undefined && checked === undefined
  const found = (checked?.findings ?? row.findings ?? [])
    // Those who know the payments say it in words of their own.
    .filter(({ level, code }) => level !== 'good' && code !== 'never_heard')
    .map(finding => describe(name, buildWebhookUrl(parts.school, name), finding))
  return isSilent ? [`${name} does not answer; its last check may be outdated`, ...found] : found
}

const waits: readonly (readonly [keyof ProviderCounts, string])[] = [
  ['open', 'payments that were begun, and wait for keys of the same account'],
  ['processing', 'payments on their way, which wait for keys of the same account'],
  ['refunds', 'refunds that have not ended, which wait for keys of the same account'],
  ['disputes', 'open disputes, whose end nobody learns'],
  ['subscriptions', 'subscriptions charged through it, which are past due with their next charge'],
]

const listWaiting = async ({ database, school }: Parts, name: string): Promise<string[]> => {
  const { counts } = await database.statements(school.id, db => readNeeds({ db, school }, name))
  return waits.flatMap(([count, what]) =>
    counts[count] === 0 ? [] : [`${name} is not set any more; ${what}: ${counts[count]}`],
  )
}

/** What the payment providers of a school lack, in words for its operator: of those that are set, and of those that were removed. */
export const findProviderWarnings = async (parts: Parts): Promise<string[]> => {
  const rows = await list(parts)
  const removed = listDeclaredProviders().filter(({ name }) => rows.every(row => row.name !== name))
  const lines: string[] = []
  for (const row of rows) lines.push(...(await checkNow(parts, row)))
  for (const { name } of removed) lines.push(...(await listWaiting(parts, name)))
  return lines
}
