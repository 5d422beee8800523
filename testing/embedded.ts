import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeAddress } from '../src/db/embedded/address.ts'
import { packagedBinaries } from '../src/db/embedded/binaries.ts'
import { findCluster } from '../src/db/embedded/cluster.ts'
import { answers, buildUrl } from '../src/db/embedded/connect.ts'
import { makePlan } from '../src/db/embedded/plan.ts'
import { startServer } from '../src/db/embedded/server.ts'
import { findLog } from '../src/db/embedded/server-log.ts'
import { until } from './until.ts'

export { type Lock, readLock } from '../src/db/embedded/lock-file.ts'

/** A server in recovery. */
type Standby = { readonly ownerUrl: string; readonly appUrl: string; stop(): Promise<void> }

/** Starts the cluster of a data folder that nobody serves in recovery, as a standby whose primary is gone. */
export const startStandby = async (dataFolder: string): Promise<Standby> => {
  const log = () => undefined
  const cluster = await findCluster(dataFolder, log)
  const binFolder = process.env.STOA_TEST_POSTGRES ?? (await packagedBinaries())
  const plan = await makePlan({ dataFolder, cluster, binFolder, log })
  const signal = join(plan.cluster, 'standby.signal')
  await writeFile(signal, '')
  if (cluster.owner !== undefined) await chown(signal, cluster.owner.uid, cluster.owner.gid)
  const address = await makeAddress(plan, dataFolder)
  const server = await startServer(plan, address, await findLog(dataFolder), false)
  const ownerUrl = buildUrl(address, 'stoa_owner', 'stoa')
  await until(() => answers(ownerUrl), 'the standby answers')
  return { ownerUrl, appUrl: buildUrl(address, 'stoa_app', 'stoa'), stop: () => server.stop() }
}
