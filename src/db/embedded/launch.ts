import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { restoreAddress } from './address.ts'
import type { Address } from './connect.ts'
import { endLeftOver, removeStaleLocks } from './ending.ts'
import { EmbeddedFailed } from './errors.ts'
import { updateLock } from './lock.ts'
import type { Lock } from './lock-file.ts'
import { type Server, startServer } from './server.ts'
import { diagnose, findLog, type ServerLog } from './server-log.ts'
import type { Supervision } from './supervise.ts'
import type { EmbeddedOptions, Plan } from './types.ts'

/** What a server of a data folder whose lock we hold is launched with. */
export type Launching = {
  plan: Plan
  address: Address
  dataFolder: string
  durable: boolean
  log: (line: string) => void
  lockPath: string
  lock: Lock
}

/** Launches a server, which does not take connections yet, and records it in the lock. */
export async function launch(launching: Launching): Promise<{ server: Server; serverLog: ServerLog }> {
  const { plan, address, dataFolder, durable } = launching
  await removeStaleLocks(plan.cluster, address.host)
  const serverLog = await findLog(dataFolder)
  const server = await startServer(plan, address, serverLog, durable)
  try {
    await record(launching, server)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { server, serverLog }
}

/** Records a running server in the lock, for who joins it and for who finds it left over. */
export function record({ lockPath, lock, address }: Launching, { pid }: Server): Promise<void> {
  return updateLock(lockPath, { ...lock, postgresPid: pid, socketFolder: address.host })
}

/** How a server that ended is launched again: on the same cluster, under the same address. */
export function relaunching(
  launching: Launching,
  { onEvent, onGivenUp }: NonNullable<EmbeddedOptions['supervision']>,
): Supervision {
  const { plan, address, dataFolder, log } = launching
  let serverLog: ServerLog | undefined
  return {
    cluster: plan.cluster,
    async launch() {
      await requireCluster(plan.cluster)
      await endLeftOver(plan, undefined, log)
      await restoreAddress(plan, address)
      const launched = await launch(launching)
      serverLog = launched.serverLog
      return launched.server
    },
    diagnose: async () => diagnose(serverLog ?? { path: join(dataFolder, 'postgres.log'), from: 0 }, plan.cluster),
    onEvent,
    onGivenUp,
  }
}

// Written by initdb; a folder without it is another one than we started on, and is not filled with a new cluster.
async function requireCluster(cluster: string): Promise<void> {
  await stat(join(cluster, 'global', 'pg_control')).catch(() => {
    throw new EmbeddedFailed(
      `the database in ${cluster} is gone; bring the folder back before the next start, since a start in an empty folder makes a new school`,
      { failure: 'data_missing' },
    )
  })
}
