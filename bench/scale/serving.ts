import { randomInt } from 'node:crypto'
import { signInActor } from '#testing/actor.ts'
import { setting, type TestDatabase } from '#testing/database.ts'
import { grantable, identityScopes } from '#testing/matrix.ts'
import { PASSWORD } from '#testing/password.ts'
import { startProcess } from '#testing/process.ts'

/** The Host header of the school that is measured. */
export const HOST = 'first.school.example'

// A grant may send 3,000 requests a minute.
const GRANTS = 5
const OWNER = 'ada@crumb.example'

/** A school that `stoa serve` serves in a process of its own, and what its owner sends to it. */
export type ServedSchool = {
  readonly schoolId: string
  readonly database: TestDatabase
  readonly port: number
  readonly pid: number
  /** The headers of a request of the owner, by one of several grants and from one of many networks. */
  headers(): Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** Starts `stoa serve` on a database with the demo data, and signs the owner in with all scopes. */
export const serveSchool = async (database: TestDatabase): Promise<ServedSchool> => {
  const [found] = await database.query<{ id: string; base_url: string }>(
    'select s.id, s.base_url from schools s join hosts h on h.school_id = s.id where h.host = $1',
    [HOST],
  )
  if (found === undefined) throw new Error('the school was not made')
  const { port, pid, stop } = await startProcess(
    { databaseUrl: database.appUrl, secret: setting('STOA_TEST_SECRET') },
    { STOA_TRUST_PROXY: '127.0.0.0/8' },
  )
  const school = { id: found.id, baseUrl: found.base_url, siteOrigin: found.base_url } as Parameters<
    typeof signInActor
  >[0]['school']
  const scopes = [...identityScopes, ...grantable]
  const tokens: string[] = []
  while (tokens.length < GRANTS)
    tokens.push((await signInActor({ port, school, email: OWNER, password: PASSWORD }, { scopes })).token)
  return {
    ...{ schoolId: found.id, database, port, pid, stop },
    headers: () => ({
      host: HOST,
      authorization: `Bearer ${tokens[randomInt(GRANTS)]}`,
      'x-forwarded-for': `10.${randomInt(250)}.${randomInt(250)}.1`,
    }),
  }
}
