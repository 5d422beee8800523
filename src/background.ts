import { onMeasured } from '#src/areas/analytics/index.ts'
import { bytesOfFile } from '#src/areas/files/index.ts'
import { listMailKinds, areas as productAreas } from '#src/areas.ts'
import type { Area, JobParts } from '#src/contract/area.ts'
import type { Count } from '#src/contract/counter.ts'
import type { StoredFactHandler, Subscribers } from '#src/contract/fact.ts'
import type { JobDeclaration, JobHandler } from '#src/contract/job.ts'
import type { Outside } from '#src/contract/outside.ts'
import type { Files } from '#src/contract/store.ts'
import { CONFIRMATION_JOB } from '#src/db/confirmations.ts'
import type { OpenDatabase } from '#src/db/database.ts'
import { JOBS_CHANNEL } from '#src/db/jobs.ts'
import { listen } from '#src/db/listen.ts'
import { sweepTerms } from '#src/db/search.ts'
import { createCallAsMember, createConfirmationExpiry, sweepOutcomes } from '#src/http/index.ts'
import {
  BULK_MAIL_JOB,
  createMailDelivery,
  createSend,
  identitySweeps,
  lockActiveMember,
  MAIL_JOB,
  type MailSettings,
  onMailsDeleted,
  onMemberInvited,
} from '#src/identity/index.ts'
import { purposeKey, systemRandom } from '#src/kit/crypto.ts'
import { oauthSweeps } from '#src/oauth/index.ts'
import { internet } from '#src/outbound/index.ts'
import { createPrinter } from '#src/print/index.ts'
import {
  createClaimant,
  createFactDelivery,
  createSweeping,
  startWorker,
  type Worker,
  type WorkerParts,
} from '#src/worker/index.ts'

/** The parts of the background work. */
export type BackgroundParts = Pick<WorkerParts, 'onError'> & {
  readonly database: OpenDatabase
  readonly secret: string
  readonly mail: MailSettings
  readonly files: Files
  /** How webhooks are sent; unset: to the Internet. */
  readonly outside?: Outside | undefined
  /** Counts for the operator; unset: nobody asks. */
  readonly count?: Count | undefined
  /** Additional subscribers to facts. */
  readonly subscribers?: Subscribers
  /** Areas beside those of the product; for tests. */
  readonly moreAreas?: readonly Area[] | undefined
  /** The database URL to listen for new jobs; unset: the worker polls twice a second. */
  readonly listenUrl: string | undefined
}

// The facts after which some metric is rolled up.
const measuredFacts = (areas: readonly Area[]): string[] => [
  ...new Set(areas.flatMap(({ metrics = [] }) => metrics.flatMap(({ changes }) => changes))),
]

// The subscribers by type of fact: identity first, then the areas in their order.
const buildSubscribers = ({ secret, mail, subscribers = {} }: BackgroundParts, areas: readonly Area[]): Subscribers => {
  const all: [type: string, handler: StoredFactHandler][] = [
    ['member.invited', onMemberInvited({ secret, random: systemRandom })],
    ['mail.deleted', onMailsDeleted(mail.folder)],
    ...areas.flatMap(area => Object.entries(area.subscribers ?? {})),
    ...measuredFacts(areas).map((type): [string, StoredFactHandler] => [type, onMeasured]),
  ]
  const listHandlers = (factType: string) => all.filter(([type]) => type === factType).map(([, handler]) => handler)
  return { ...Object.fromEntries(all.map(([type]) => [type, listHandlers(type)])), ...subscribers }
}

const listJobs = (areas: readonly Area[]): [kind: string, declared: JobDeclaration<JobParts>][] =>
  areas.flatMap(area => Object.entries(area.jobs ?? {}))

const listHandlers = (areas: readonly Area[], parts: JobParts): Readonly<Record<string, JobHandler>> =>
  Object.fromEntries(
    listJobs(areas).map(([kind, declared]) => [
      kind,
      typeof declared === 'function' ? declared(parts) : declared.create(parts),
    ]),
  )

// The kinds with a lane of their own, and how many of a school run at once.
const buildLanes = (areas: readonly Area[]): Readonly<Record<string, number>> => ({
  [BULK_MAIL_JOB]: 1,
  ...Object.fromEntries(
    listJobs(areas).flatMap(([kind, declared]) =>
      typeof declared === 'function' || !('atOnce' in declared) ? [] : [[kind, declared.atOnce]],
    ),
  ),
})

const listOutbound = (areas: readonly Area[]): string[] =>
  listJobs(areas).flatMap(([kind, declared]) =>
    typeof declared === 'function' || !('places' in declared) ? [] : [kind],
  )

const createDelivery = ({ database, secret, mail, files }: BackgroundParts, areas: readonly Area[]): JobHandler =>
  createMailDelivery({
    database,
    secret,
    from: mail.from,
    send: createSend(mail),
    keepsText: mail.smtpUrl === undefined,
    kinds: listMailKinds(areas),
    readFile: (schoolId, fileId, most) => bytesOfFile({ database, school: { id: schoolId }, files }, fileId, most),
  })

/** Starts the background work: it sends mails, delivers facts, and deletes what is no longer needed. */
export const startBackground = (parts: BackgroundParts): Pick<Worker, 'stop'> => {
  const { database, listenUrl, onError, files } = parts
  const areas = [...productAreas, ...(parts.moreAreas ?? [])]
  const delivery = createDelivery(parts, areas)
  const facts = createFactDelivery(database, buildSubscribers(parts, areas))
  const sweep = createSweeping(database, [
    ...oauthSweeps,
    ...identitySweeps,
    sweepOutcomes,
    sweepTerms,
    ...areas.flatMap(area => area.sweeps ?? []),
  ])
  const printer = createPrinter()
  const keyFor = (purpose: string) => purposeKey(parts.secret, purpose)
  const operations = areas.flatMap(area => area.operations)
  const callAs = createCallAsMember({ database, operations, files, keyFor, lockMember: lockActiveMember })
  const claimant = createClaimant({ shared: database.shared, onReleased: () => worker.wake() })
  const worker: Worker = startWorker({
    database,
    claimant: claimant.current,
    handlers: {
      [MAIL_JOB]: delivery,
      [BULK_MAIL_JOB]: delivery,
      fact: facts,
      sweep,
      [CONFIRMATION_JOB]: createConfirmationExpiry(database),
      ...listHandlers(areas, {
        database,
        ...files,
        printer,
        outside: parts.outside ?? internet,
        count: parts.count ?? (() => undefined),
        readClock: () => new Date(),
        callAs,
        keyFor,
      }),
    },
    lanes: buildLanes(areas),
    outbound: listOutbound(areas),
    onError,
  })
  const listening =
    listenUrl === undefined
      ? undefined
      : listen(listenUrl, {
          channels: [JOBS_CHANNEL],
          // A lock on a connection of a pooler would be nobody's.
          isDirect: true,
          onNotification: worker.wake,
          attend: claimant.attend,
        })
  return {
    stop: async () => {
      await Promise.all([listening?.stop(), worker.stop()])
      await printer.stop()
    },
  }
}
