import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { createApp } from '#src/app.ts'
import { startBackground } from '#src/background.ts'
import type { Config } from '#src/config.ts'
import type { Count } from '#src/contract/counter.ts'
import { isOnLoopback, type School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { setMismatchHandler } from '#src/db/audit.ts'
import { listSchools } from '#src/db/schools.ts'
import { isPassing } from '#src/db/sqlstates.ts'
import { internetWith } from '#src/outbound/index.ts'
import { openFiles } from '#src/store/index.ts'
import { exitCodes, Failed, type Run } from './command.ts'
import { watchDisks } from './disk-watch.ts'
import { endWithSignals } from './ending.ts'
import { ensureFirstSchool, type InitialPerson } from './first-school.ts'
import { asFailed, findChanges, type Installation, openInstallation } from './installation.ts'
import { listen } from './listen.ts'
import { eventLog, openLogStream } from './log-stream.ts'
import { HTTPS_FOR_OTHERS } from './loopback.ts'
import { createCounters, serveMetrics } from './metrics.ts'
import { createReadiness, watchedFolders } from './readiness.ts'
import { watchDatabase } from './watch-database.ts'

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

const greeting = (schools: readonly School[], people: readonly InitialPerson[], installation: Installation): string => {
  const [first] = schools
  const site = first?.siteOrigin ?? ''
  const lines = ['', `Stoa is running: ${schools.map(({ baseUrl }) => baseUrl).join(', ')}`, '']
  if (people.length > 0) {
    lines.push('People who can sign in (shown only once):')
    for (const { role, email, password } of people) lines.push(`  ${role.padEnd(9)} ${email.padEnd(24)} ${password}`)
    lines.push('')
  }
  lines.push('Open next:')
  lines.push(`  ${site}/          the school`)
  lines.push(`  ${first?.baseUrl ?? ''}/auth.md   connect an app, step by step`)
  lines.push(`  ${site}/docs      the API reference`)
  if (first !== undefined && isOnLoopback(first))
    lines.push('', `This school is for the person at this computer: ${HTTPS_FOR_OTHERS}.`)
  if (installation.isEmbedded)
    lines.push(
      '',
      `Database (for a second process: STOA_DATABASE_URL, with the same STOA_DATA): ${installation.appUrl}`,
    )
  return lines.concat('').join('\n')
}

const startMail = (
  app: ReturnType<typeof createApp>,
  installation: Installation,
  { config, files, count }: { readonly config: Config; readonly files: Files; readonly count: Count },
) =>
  startBackground({
    count,
    database: installation.database,
    secret: installation.secret,
    files,
    listenUrl: findChanges(installation, config)?.listenUrl,
    outside: internetWith(config.outboundAllow),
    mail: {
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      folder: join(config.dataFolder, 'mail'),
      onFile: file => app.log.info({ event: 'mail_file', file }, 'a mail was written to a file'),
    },
    onError: (error, job) =>
      app.log.warn(
        { event: 'job_failed', kind: job?.kind, school: job?.schoolId, job: job?.id, err: error },
        'a job failed',
      ),
  })

// Connections end together with PostgreSQL; the reason is in the log.
const duringStart = (error: unknown): unknown =>
  isPassing(error)
    ? new Failed(`the database stopped answering during the start: ${(error as Error).message}`, exitCodes.tryLater)
    : asFailed(error)

/** Runs the server until a signal ends it. */
export const runServer = async ({ config, tell, progress }: Run): Promise<void> => {
  const stream = openLogStream()
  const log = eventLog(stream, config.logLevel)
  const { failed, fullAt, ...watched } = watchDatabase(log)
  setMismatchHandler(fault =>
    log('error', 'fact_withheld', 'a fact is not as its type declares, so apps are not told of it', { fault }),
  )
  const installation = await openInstallation({ config, mode: 'serve', progress, ...watched })
  const begun: (() => unknown)[] = []
  try {
    const { secret } = installation
    const people = await ensureFirstSchool(installation, config)
    // Now, and not when a mail is written; where it cannot be created, the first mail fails.
    await mkdir(config.dataFolder, { recursive: true, mode: 0o700 }).catch(() => undefined)
    const files = await openFiles(config.storage)
    const disks = watchDisks(watchedFolders(config), log)
    begun.push(disks.stop)
    const app = createApp({
      files,
      mailServer:
        config.smtpUrl === undefined ? undefined : { host: new URL(config.smtpUrl).host, from: config.mailFrom },
      database: installation.database,
      changes: findChanges(installation, config),
      secret,
      trustProxy: config.trustProxy,
      compresses: config.compresses,
      log: { level: config.logLevel, stream },
      tellsHosts: isLoopback(config.host),
      ready: await createReadiness({ installation, config, disks, fullAt }),
    })
    begun.push(() => app.close())
    const counters = createCounters()
    const background = startMail(app, installation, { config, files, count: counters.count })
    begun.push(() => background.stop())
    if (config.metricsAddress !== undefined) {
      const metrics = await serveMetrics(config.metricsAddress, { counters, shared: installation.database.shared })
      begun.push(() => metrics.close())
    }
    const listeners: Server[] = [app.server]
    const end = endWithSignals({ app, listeners, background, installation })
    void failed.then(({ message, exitCode }) => {
      console.error(`stoa: ${message}`)
      end(exitCode)
    })
    listeners.push(...(await listen(app, config)).filter(server => server !== app.server))
    const schools = await listSchools(installation.database.shared)
    const first = schools.slice(0, 10)
    const addresses = first.map(({ baseUrl }) => baseUrl)
    tell(
      { addresses, people, database_url: installation.isEmbedded ? installation.appUrl : undefined },
      greeting(first, people, installation),
    )
  } catch (error) {
    for (const end of begun) await end()
    await installation.stop()
    throw duringStart(error)
  }
}
