import { BadSetting, readBaseUrl } from '#src/config.ts'
import type { Db } from '#src/contract/db.ts'
import { isOnLoopback, type School, type TokenLifetimes } from '#src/contract/school.ts'
import { listPagesHosts, listSchools, storeLifetimes } from '#src/db/schools.ts'
import { createPerson, createSchool } from '#src/demo/index.ts'
import { createKeys, lifetimeBounds } from '#src/oauth/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'
import { pagesUrlAt, readPagesUrl, setPagesUrl } from './pages-url.ts'
import { choosePassword, memberEmail, memberName, schoolName } from './values.ts'

const parseBaseUrl = (text: string | undefined): string => {
  if (text === undefined)
    throw new Failed('name the base URL: stoa schools create https://learn.example.org --owner-email …')
  try {
    return readBaseUrl(text, 'the base URL')
  } catch (error) {
    throw error instanceof BadSetting ? new Failed(error.message) : error
  }
}

// Every name of this computer on a port belongs to one school, whose pages are at one of them.
const refuseTakenPort = async ({ database }: Installation, baseUrl: string): Promise<void> => {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'http:' || !/^[\d.[]/.test(hostname)) return
  const schools = await listSchools(database.shared)
  const other = schools.find(school => isOnLoopback(school) && new URL(school.baseUrl).port === port)
  if (other === undefined) return
  const proposal = `http://NAME.localhost${port === '' ? '' : `:${port}`}`
  throw new Failed(`${other.baseUrl} has this port already; use a name of its own, such as ${proposal}`)
}

const create = async (run: Run): Promise<void> => {
  const baseUrl = parseBaseUrl(run.positionals[1])
  const email = memberEmail('--owner-email', textOption(run, 'owner-email'))
  const name = schoolName('--name', textOption(run, 'name') ?? 'My school')
  const ownerName = memberName('--owner-name', textOption(run, 'owner-name') ?? 'Owner')
  const { password, json, line } = await choosePassword(run, 'owner-password', {
    email,
    name: ownerName,
    school: { name },
  })
  await withInstallation(run.config, run.progress, async installation => {
    const { database, secret } = installation
    await refuseTakenPort(installation, baseUrl)
    const id = await createSchool(database, createKeys(secret), { baseUrl, name }, Date.now())
    if (id === undefined) throw new Failed(`a school with the base URL ${baseUrl}, or with its host, exists already`)
    await createPerson(database, id, { email, password, name: ownerName, role: 'owner' })
    run.tell(
      { base_url: baseUrl, owner: { email, ...json } },
      `The school is at ${baseUrl}\nOwner: ${email}, password ${line}`,
    )
  })
}

const list = (run: Run): Promise<void> =>
  withInstallation(run.config, run.progress, async ({ database }) => {
    const schools = await listSchools(database.shared)
    const hosts = await listPagesHosts(database.shared)
    const plain = schools.map(school => ({
      base_url: school.baseUrl,
      name: school.name,
      pages_url: pagesUrlAt(school, hosts) ?? null,
    }))
    const lines = plain.map(
      ({ base_url, name, pages_url: pages }) => `${base_url}  ${name}${pages === null ? '' : `  (pages: ${pages})`}`,
    )
    run.tell(plain, lines.join('\n') || 'There is no school yet.')
  })

// The lifetime that each option sets, in seconds.
const lifetimeOptions = {
  'code-seconds': 'code',
  'access-token-seconds': 'access',
  'refresh-idle-seconds': 'idle',
  'refresh-family-seconds': 'family',
} as const satisfies Record<string, keyof TokenLifetimes>

const parseSeconds = (run: Run, option: keyof typeof lifetimeOptions): number | undefined => {
  const text = textOption(run, option)
  if (text === undefined) return undefined
  const { least, most } = lifetimeBounds[lifetimeOptions[option]]
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (seconds >= least && seconds <= most) return seconds
  throw new Failed(`--${option} is a whole number from ${least} to ${most}`)
}

const MEGABYTE = 1_000_000

const readQuota = (run: Run): number | undefined => {
  const text = textOption(run, 'storage-megabytes')
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * MEGABYTE
  throw new Failed('--storage-megabytes is a whole number from 0 to 999999999')
}

const readTest = (run: Run): boolean | undefined => {
  const text = textOption(run, 'test')
  if (text === undefined) return undefined
  if (text === '1' || text === '0') return text === '1'
  throw new Failed('--test is 1 for a test school, in which no real money moves, or 0')
}

// All areas are loaded, since later ones know of orders.
const setTest = async (db: Db, school: School, isTest: boolean): Promise<void> => {
  const [{ changeTestMode }] = await Promise.all([import('#src/areas/school/index.ts'), import('#src/areas.ts')])
  if (!(await changeTestMode({ db, school }, isTest)))
    throw new Failed(
      `${school.baseUrl} has paid orders, so it stays ${school.isTest ? 'a test school' : 'a school with real payments'}`,
    )
}

const set = async (run: Run): Promise<void> => {
  if (run.positionals.length > 1) throw new Failed(`usage: ${schools.usage}`)
  const options = Object.keys(lifetimeOptions) as (keyof typeof lifetimeOptions)[]
  const lifetimes = Object.fromEntries(options.map(option => [lifetimeOptions[option], parseSeconds(run, option)]))
  const quota = readQuota(run)
  const isTest = readTest(run)
  const pagesUrl = readPagesUrl(run)
  const values = [quota, isTest, pagesUrl, ...Object.values(lifetimes)]
  if (values.every(value => value === undefined))
    throw new Failed(`name what to set: --${options.join(', --')}, --storage-megabytes, --test, --pages-url`)
  // No other command about schools needs this area, and loading it takes longer than they do.
  const { storeQuota } = await import('#src/areas/files/index.ts')
  await withInstallation(run.config, run.progress, async installation => {
    const chosen = await chooseSchool(run, installation)
    const { id, baseUrl } = chosen
    await installation.database.transaction(id, async db => {
      await storeLifetimes(db, id, lifetimes)
      if (quota !== undefined) await storeQuota(db, id, quota)
      if (isTest !== undefined) await setTest(db, chosen, isTest)
      if (pagesUrl !== undefined) await setPagesUrl(db, chosen, pagesUrl)
    })
    const school = (await listSchools(installation.database.shared)).find(one => one.id === id)
    if (school === undefined) throw new Failed(`the school ${baseUrl} has gone`)
    const pages = pagesUrlAt(school, await listPagesHosts(installation.database.shared))
    const { code, access, idle, family } = school.lifetimes
    run.tell(
      {
        base_url: baseUrl,
        code_seconds: code,
        access_token_seconds: access,
        refresh_idle_seconds: idle,
        refresh_family_seconds: family,
        is_test: school.isTest,
        pages_url: pages ?? null,
      },
      `${baseUrl}: codes are valid for ${code} s, access tokens for ${access} s, refresh tokens for ${idle} s unused and ${family} s at most${school.isTest ? '; it is a test school' : ''}${pages === undefined ? '' : `; its pages are at ${pages}`}`,
    )
  })
}

/** Creates and lists schools, and sets what the operator decides about one. */
export const schools: Command = {
  name: 'schools',
  usage:
    'stoa schools create BASE_URL --owner-email EMAIL [--name NAME] [--owner-name NAME] [--owner-password PASSWORD] | stoa schools list | stoa schools set [--school BASE_URL] [--code-seconds N] [--access-token-seconds N] [--refresh-idle-seconds N] [--refresh-family-seconds N] [--storage-megabytes N] [--test 1|0] [--pages-url URL|none]',
  summary:
    'Create a school at its own base URL, list the schools, or set the lifetimes of their codes and tokens, their storage quota, whether one is a test school, and the address of its uploaded pages',
  options: {
    name: { type: 'string' },
    'owner-email': { type: 'string' },
    'owner-name': { type: 'string' },
    'owner-password': { type: 'string' },
    'code-seconds': { type: 'string' },
    'access-token-seconds': { type: 'string' },
    'refresh-idle-seconds': { type: 'string' },
    'refresh-family-seconds': { type: 'string' },
    'storage-megabytes': { type: 'string' },
    test: { type: 'string' },
    'pages-url': { type: 'string' },
    ...schoolOption,
  },
  async run(run) {
    const [what] = run.positionals
    if (what === 'create') return create(run)
    if (what === 'list') return list(run)
    if (what === 'set') return set(run)
    throw new Failed(`usage: ${schools.usage}`)
  },
}
