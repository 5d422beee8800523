import { findWebhookTrouble } from '#src/areas/apps/index.ts'
import { countMissing } from '#src/areas/files/index.ts'
import { listUnopenableKeys } from '#src/areas/learning/index.ts'
import { findWaitingCredits } from '#src/areas/memberships/index.ts'
import { findProviderWarnings, findSellingWarnings, listClosedSecrets } from '#src/areas/school/index.ts'
import { findPaymentWarnings, findPrintingWarnings } from '#src/areas/shop/index.ts'
import type { Config } from '#src/config.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'
import { describeSharedAddress, listSharedAddresses } from '#src/db/addresses.ts'
import { databaseLimits } from '#src/db/connect.ts'
import { isInvalidationDelivered } from '#src/db/invalidation.ts'
import { clockShift, deadlockTimeout, loginState } from '#src/db/login.ts'
import { migrationState } from '#src/db/migrate.ts'
import { listSchools } from '#src/db/schools.ts'
import { parkedMails } from '#src/identity/index.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { createKeys } from '#src/oauth/index.ts'
import { checkStore } from '#src/store/index.ts'
import { parkedFacts } from '#src/worker/index.ts'
import { checkPages } from './check-pages.ts'
import { Failed, type Run } from './command.ts'
import { findChanges, type Installation, parseLogin, withInstallation } from './installation.ts'
import { getAddress, HTTPS_FOR_OTHERS, hostsFileHint } from './loopback.ts'

/** What a check found; a warning is shown, and does not make the command fail. */
type Finding = { readonly check: string; readonly ok: boolean; readonly warning?: true; readonly says: string }

const HIDDEN = new Set(['ownerPassword', 'secret'])
const WITH_PASSWORD = new Set(['databaseUrl', 'directDatabaseUrl', 'ownerDatabaseUrl', 'smtpUrl'])

const formatPlace = (storage: Config['storage']): string =>
  'folder' in storage ? storage.folder : `${storage.s3.endpoint}/${storage.s3.bucket} (${storage.s3.region})`

const formatAddress = ({ host, port }: NonNullable<Config['metricsAddress']>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

const displayed = (name: string, value: unknown): unknown => {
  if (value === undefined) return '(unset)'
  if (name === 'storage') return formatPlace(value as Config['storage'])
  if (name === 'metricsAddress') return formatAddress(value as NonNullable<Config['metricsAddress']>)
  if (HIDDEN.has(name)) return '(set, not shown)'
  return WITH_PASSWORD.has(name) ? String(value).replace(/:[^:@/]*@(?=[^@]*$)/, ':…@') : value
}

const settings = (config: Config): Record<string, unknown> =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, displayed(name, value)]))

const checkDatabase = async (installation: Installation): Promise<Finding[]> => {
  const { appUrl, ownerUrl } = installation
  const [loginErrors, shift, deadlock, { waiting, changed }] = await Promise.all([
    loginState(appUrl),
    clockShift(appUrl),
    deadlockTimeout(appUrl),
    migrationState(appUrl),
  ])
  return [
    {
      check: 'login',
      ok: loginErrors.length === 0,
      says:
        loginErrors.length === 0
          ? `${parseLogin(appUrl) || 'the login'} owns nothing`
          : `the login ${loginErrors.join(' and ')}`,
    },
    {
      check: 'migrations',
      ok: waiting.length === 0,
      says: waiting.length === 0 ? 'all applied' : `waiting: ${waiting.join(', ')}`,
    },
    {
      check: 'history',
      ok: changed.length === 0,
      says: changed.length === 0 ? 'applied migrations are as shipped' : `changed since applied: ${changed.join(', ')}`,
    },
    { check: 'clock', ok: shift === 0, says: shift === 0 ? 'not shifted' : `shifted by ${shift} seconds` },
    {
      check: 'deadlocks',
      ok: deadlock < databaseLimits.lock,
      says:
        deadlock < databaseLimits.lock
          ? `looked for after ${deadlock} ms`
          : `found too late; as superuser: alter system set deadlock_timeout = '250ms'; select pg_reload_conf()`,
    },
    {
      check: 'owner',
      ok: true,
      says: ownerUrl === undefined ? 'STOA_OWNER_DATABASE_URL is unset: migrate cannot run from here' : 'known',
    },
  ]
}

const CHANGES_MS = 5000

const checkChanges = async (installation: Installation, config: Config): Promise<Finding> => {
  const check = 'changes'
  const places = findChanges(installation, config)
  if (places === undefined)
    return { check, ok: true, says: 'not received, since STOA_DIRECT_DATABASE_URL is unset: each token is looked up' }
  const name = config.pooler === undefined ? 'the database' : 'STOA_DIRECT_DATABASE_URL'
  const ok = await isInvalidationDelivered(places, CHANGES_MS)
  return {
    check,
    ok,
    says: ok
      ? `heard at ${name}`
      : `no notification arrives at ${name}, so each token is looked up; it must connect to the same database without a pooler`,
  }
}

// Over HTTP: the issuer at the base URL must be that of this school, byte for byte.
const checkSchool = async (school: School): Promise<Finding> => {
  const { baseUrl, siteOrigin } = school
  const check = `school ${baseUrl}`
  try {
    const { status, body } = await getAddress(`${baseUrl}/.well-known/oauth-authorization-server`)
    const { issuer } = JSON.parse(body) as { issuer?: unknown }
    if (status !== 200 || issuer !== baseUrl)
      return { check, ok: false, says: `answers with status ${status} and issuer ${String(issuer)}` }
    const advice = isOnLoopback(school) ? `, at this computer; ${HTTPS_FOR_OTHERS}` : ''
    return { check, ok: true, says: `answers as its own issuer${advice}${hostsFileHint(siteOrigin)}` }
  } catch {
    return { check, ok: false, says: 'does not answer at its base URL (is the server running?)' }
  }
}

const checkMail = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding> => {
  const { count, reason } = await database.statements(id, db => parkedMails(db, id))
  const check = `mail of ${baseUrl}`
  if (count === 0) return { check, ok: true, says: 'none was parked within a day' }
  return { check, ok: false, says: `${count} parked within a day, the last one because of: ${reason}` }
}

const checkFacts = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding> => {
  const { count, reason } = await database.statements(id, db => parkedFacts(db, id))
  const check = `facts of ${baseUrl}`
  if (count === 0) return { check, ok: true, says: 'all were delivered' }
  return { check, ok: false, says: `${count} parked after ten attempts, the last one because of: ${reason}` }
}

const MAX_BEHIND = 1000

const checkWebhooks = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding> => {
  const { failing, behind } = await database.statements(id, db => findWebhookTrouble(db, id))
  const troubles = [
    ...(failing === 0 ? [] : [`${failing} failing for a day`]),
    ...(behind <= MAX_BEHIND ? [] : [`${behind} facts not distributed`]),
  ]
  const says = troubles.length === 0 ? 'none is failing for a day' : troubles.join(', ')
  return {
    check: `webhooks of ${baseUrl}`,
    ok: behind <= MAX_BEHIND,
    ...(failing === 0 ? {} : { warning: true }),
    says,
  }
}

// Only where members were added before domains were compared in ASCII.
const checkAddresses = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding[]> => {
  const pairs = await database.statements(id, db => listSharedAddresses(db, id))
  return pairs.map(pair => ({
    check: `members of ${baseUrl}`,
    ok: true,
    warning: true,
    says: describeSharedAddress(pair),
  }))
}

const checkSecret = ({ secretState: { secret, problem } }: Installation): Finding => ({
  check: 'secret',
  ok: problem === undefined,
  says: problem?.message ?? (secret === undefined ? 'there is none' : 'unseals every key'),
})

const checkKeys = async (
  { database, secretState: { secret = '' } }: Installation,
  school: School,
): Promise<Finding> => {
  const closed = await createKeys(secret).listUnopenable(database, school.id)
  const says =
    closed.length === 0
      ? 'can be unsealed with STOA_SECRET'
      : `cannot be unsealed with this STOA_SECRET: ${closed.join(', ')}; set the one they were created with, or, if it is lost: stoa keys replace-lost`
  return { check: `keys ${school.baseUrl}`, ok: closed.length === 0, says }
}

type SchoolParts = Pick<Installation, 'database'> & { readonly school: School; keyFor(purpose: string): Buffer }

const openSchool = ({ database, secretState: { secret = '' } }: Installation, school: School): SchoolParts => ({
  database,
  school,
  keyFor: purpose => purposeKey(secret, purpose),
})

const checkCredentials = async (installation: Installation, school: School): Promise<Finding> => {
  const { keyFor } = openSchool(installation, school)
  const closed = await listUnopenableKeys({ keyFor }, { database: installation.database, school })
  const says =
    closed.length === 0
      ? 'can be unsealed with STOA_SECRET'
      : `cannot be unsealed with this STOA_SECRET: ${closed.join(', ')}; set the one they were created with, or, if it is lost: stoa keys replace-lost`
  return { check: `keys of certificates ${school.baseUrl}`, ok: closed.length === 0, says }
}

// Only where one of them is closed.
const checkProviderSecrets = async (parts: SchoolParts): Promise<Finding[]> => {
  const check = `keys of payment providers ${parts.school.baseUrl}`
  const closed = await listClosedSecrets(parts)
  return closed.map(which => ({
    check,
    ok: false,
    says: `cannot be unsealed with this STOA_SECRET: ${which}; set the one that it was sealed with, or, if it is lost: stoa keys replace-lost, and set the provider again`,
  }))
}

const checkStorage = async (storage: Config['storage']): Promise<Finding> => {
  const error = await checkStore(storage)
  return {
    check: 'storage',
    ok: error === undefined,
    says: error ?? `a file can be written, read and removed in ${formatPlace(storage)}`,
  }
}

const checkFiles = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding> => {
  const count = await database.statements(id, db => countMissing(db, id))
  const says = count === 0 ? 'none was missing at the last check' : `the bytes of ${count} files are missing`
  return { check: `files of ${baseUrl}`, ok: count === 0, says }
}

// Only where a school has begun to sell.
const checkSelling = async ({ database }: Installation, school: School): Promise<Finding[]> => {
  const check = `selling at ${school.baseUrl}`
  const warnings = await findSellingWarnings({ database, school })
  if (warnings?.length === 0) return [{ check, ok: true, says: 'the seller, a provider and sign-up are set' }]
  return (warnings ?? []).map(says => ({ check, ok: true, warning: true, says }))
}

// Only where something could not be printed.
const checkInvoices = async ({ database }: Installation, { id, baseUrl }: School): Promise<Finding[]> => {
  const warnings = await database.statements(id, db => findPrintingWarnings(db, id))
  return warnings.map(says => ({ check: `invoices of ${baseUrl}`, ok: true, warning: true, says }))
}

// What providers have to be asked about, or do not tell.
const checkPayments = async (parts: SchoolParts): Promise<Finding[]> => {
  const check = `payments at ${parts.school.baseUrl}`
  const warnings = [...(await findProviderWarnings(parts)), ...(await findPaymentWarnings(parts))]
  return warnings.map(says => ({ check, ok: true, warning: true, says }))
}

// Only where a subscription has ended with a credit.
const checkCredits = async ({ database }: Installation, school: School): Promise<Finding[]> => {
  const waiting = await database.statements(school.id, db => findWaitingCredits(db, school))
  return waiting.map(says => ({ check: `credits of ${school.baseUrl}`, ok: true, warning: true, says }))
}

const formatMark = ({ ok, warning }: Finding): string => {
  if (!ok) return 'FAIL'
  return warning === true ? 'warn' : 'ok  '
}

/** Shows the settings and what was found in the installation; throws when a check failed. */
export const checkInstallation = (run: Run): Promise<void> =>
  withInstallation(run.config, run.progress, async installation => {
    const found = [
      ...(await checkDatabase(installation)),
      checkSecret(installation),
      await checkChanges(installation, run.config),
      await checkStorage(run.config.storage),
    ]
    for (const school of await listSchools(installation.database.shared))
      found.push(
        await checkKeys(installation, school),
        await checkCredentials(installation, school),
        ...(await checkProviderSecrets(openSchool(installation, school))),
        await checkSchool(school),
        await checkMail(installation, school),
        await checkFacts(installation, school),
        await checkWebhooks(installation, school),
        await checkFiles(installation, school),
        ...(await checkAddresses(installation, school)),
        ...(await checkPages(installation, school)),
        ...(await checkSelling(installation, school)),
        ...(await checkInvoices(installation, school)),
        ...(await checkPayments(openSchool(installation, school))),
        ...(await checkCredits(installation, school)),
      )
    const lines = Object.entries(settings(run.config)).map(([name, value]) => `  ${name.padEnd(18)} ${value}`)
    const findings = found.map(finding => `  ${formatMark(finding)} ${finding.check}: ${finding.says}`)
    run.tell(
      { settings: settings(run.config), findings: found },
      ['Settings', ...lines, '', 'Findings', ...findings].join('\n'),
    )
    const failed = found.filter(({ ok }) => !ok).length
    if (failed > 0) throw new Failed(`${failed} of ${found.length} checks failed`)
  })
