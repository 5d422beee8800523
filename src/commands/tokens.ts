import type { School } from '#src/contract/school.ts'
import { listSchools } from '#src/db/schools.ts'
import { expireTokens, type RevokedToken, readPresented, revokeLeaked } from '#src/oauth/index.ts'
import { chooseSchool, schoolOption } from './choose-school.ts'
import { type Command, Failed, type Run, textOption } from './command.ts'
import { type Installation, withInstallation } from './installation.ts'

const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

// Date turns 30 February into 2 March, so the day is formatted again and compared.
const parseInstant = (text: string): Date => {
  const day = INSTANT.exec(text)?.[1]
  const midnight = new Date(`${day}T00:00:00Z`)
  if (day === undefined || Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day))
    throw new Failed(`--issued-before is an instant such as 2026-11-21T09:30:00Z; "${text}" is not`)
  return new Date(text)
}

const readBefore = (run: Run): Date | undefined => {
  const instant = textOption(run, 'issued-before')
  if ((run.options.all === true) === (instant !== undefined))
    throw new Failed('say either --all or --issued-before INSTANT')
  return instant === undefined ? undefined : parseInstant(instant)
}

const readSchools = async (run: Run, installation: Installation): Promise<readonly School[]> =>
  textOption(run, 'school') === undefined
    ? listSchools(installation.database.shared)
    : [await chooseSchool(run, installation)]

const expire = async (run: Run, installation: Installation): Promise<void> => {
  const before = readBefore(run)
  const expired: { school: string; issued_before: string }[] = []
  for (const school of await readSchools(run, installation)) {
    const at = await expireTokens(installation.database, school, before)
    if (at === undefined)
      throw new Failed('--issued-before is in the future; tokens that are not issued yet cannot expire')
    expired.push({ school: school.baseUrl, issued_before: at.toISOString() })
  }
  const lines = expired.map(line => `  ${line.school}  of approvals before ${line.issued_before}`)
  run.tell(expired, ['Codes and tokens that are now invalid:', ...lines].join('\n'))
}

const readLeaked = (value: string | undefined) => {
  if (value === undefined) throw new Failed(`name the leaked value; usage: ${tokens.usage}`)
  const leaked = readPresented(value)
  if (leaked !== undefined) return leaked
  if (value.startsWith('stoa_cs_'))
    throw new Failed('that is a client secret; replace it with: stoa integrations rotate-secret')
  throw new Failed('that is not a code, access token or refresh token of Stoa: prefix, length or checksum is wrong')
}

const formatSentence = ({ school, clientId, isNew }: RevokedToken): string =>
  isNew
    ? `It was of client ${clientId} at ${school.baseUrl}. Its grant was ended, with all its tokens.`
    : `It was of client ${clientId} at ${school.baseUrl}. Its grant had already ended.`

const revoke = async (run: Run, installation: Installation): Promise<void> => {
  const leaked = readLeaked(run.positionals[1])
  const taken = await revokeLeaked(installation.database, await readSchools(run, installation), leaked)
  if (taken === undefined) throw new Failed('no school here knows that value')
  const { school, clientId, isNew } = taken
  run.tell({ school: school.baseUrl, client_id: clientId, ended_now: isNew }, formatSentence(taken))
}

const verbs = { expire, revoke }

/** Revokes tokens: a leaked one, or all that were issued before an instant. */
export const tokens: Command = {
  name: 'tokens',
  usage: 'stoa tokens expire --all | --issued-before INSTANT | stoa tokens revoke VALUE   [--school BASE_URL]',
  summary: 'Revoke all tokens issued before an instant, or the grant of a leaked value; at every school, or at one',
  options: { ...schoolOption, all: { type: 'boolean' }, 'issued-before': { type: 'string' } },
  async run(run) {
    const verb = Object.entries(verbs).find(([name]) => name === run.positionals[0])?.[1]
    if (verb === undefined) throw new Failed(`usage: ${tokens.usage}`)
    await withInstallation(run.config, run.progress, installation => verb(run, installation))
  },
}
