import { areas } from '#src/areas.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { FactHandler, Subscribers } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { Files } from '#src/contract/store.ts'
import { CONFIRMATION_JOB } from '#src/db/confirmations.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { JOBS_CHANNEL } from '#src/db/jobs.ts'
import { listen } from '#src/db/listen.ts'
import { createConfirmationExpiry, sweepOutcomes } from '#src/http/index.ts'
import {
  createMailDelivery,
  createSend,
  identitySweeps,
  type MailSettings,
  onMemberErased,
  onMemberInvited,
} from '#src/identity/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { oauthSweeps } from '#src/oauth/index.ts'
import { createFactDelivery, createSweeping, startWorker, type Worker, type WorkerParts } from '#src/worker/index.ts'

/** The parts of the background work. */
export type BackgroundParts = Pick<WorkerParts, 'onError'> & {
  readonly database: OpenDatabase
  readonly secret: string
  readonly mail: MailSettings
  readonly files: Files
  /** Additional subscribers to facts. */
  readonly subscribers?: Subscribers
  /** The database URL to listen for new jobs; unset: the worker polls each second. */
  readonly listenUrl: string | undefined
}

// The subscribers by type of fact: identity first, then the areas in their order.
const subscribersOf = ({ secret, mail, subscribers = {} }: BackgroundParts): Subscribers => {
  const all: [type: string, handler: FactHandler][] = [
    ['member.invited', onMemberInvited({ secret, random: systemRandom })],
    ['member.erased', onMemberErased(mail.folder)],
    ...areas.flatMap(area => Object.entries(area.subscribers ?? {})),
  ]
  const handlersOf = (factType: string) => all.filter(([type]) => type === factType).map(([, handler]) => handler)
  return { ...Object.fromEntries(all.map(([type]) => [type, handlersOf(type)])), ...subscribers }
}

const jobsOf = (parts: JobParts): Readonly<Record<string, JobHandler>> =>
  Object.fromEntries(
    areas.flatMap(area => Object.entries(area.jobs ?? {})).map(([kind, create]) => [kind, create(parts)]),
  )

/** Starts the background work: it sends mails, delivers facts, and deletes what is no longer needed. */
export const startBackground = (parts: BackgroundParts): Pick<Worker, 'stop'> => {
  const { database, secret, mail, listenUrl, onError, files } = parts
  const delivery = createMailDelivery({ database, secret, from: mail.from, send: createSend(mail) })
  const facts = createFactDelivery(database, subscribersOf(parts))
  const sweep = createSweeping(database, [
    ...oauthSweeps,
    ...identitySweeps,
    sweepOutcomes,
    ...areas.flatMap(area => area.sweeps ?? []),
  ])
  const worker = startWorker({
    database,
    handlers: {
      mail: delivery,
      fact: facts,
      sweep,
      [CONFIRMATION_JOB]: createConfirmationExpiry(database),
      ...jobsOf({ database, store: files.store }),
    },
    onError,
  })
  const listening =
    listenUrl === undefined ? undefined : listen(listenUrl, { channels: [JOBS_CHANNEL], heard: worker.wake })
  return {
    stop: async () => {
      await Promise.all([listening?.stop(), worker.stop()])
    },
  }
}
