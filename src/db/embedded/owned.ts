import { join } from 'node:path'
import { makeAddress, removeSocketFolder } from './address.ts'
import { packagedBinaries } from './binaries.ts'
import { checkVersion, createCluster, findCluster } from './cluster.ts'
import { buildUrl } from './connect.ts'
import { endLeftOver } from './ending.ts'
import { type Launching, launch, record, relaunching } from './launch.ts'
import { releaseLock, sweepDrafts } from './lock.ts'
import type { Lock } from './lock-file.ts'
import { makePlan } from './plan.ts'
import type { Server } from './server.ts'
import { supervise } from './supervise.ts'
import type { Embedded, EmbeddedOptions, Plan } from './types.ts'
import { withPasswordFile } from './windows.ts'

type Holding = { mine: Lock; dead: Lock | undefined }

/** Opens the server of a data folder whose lock we hold, and returns the lock back when it stops or cannot start. */
export async function openOwned(options: EmbeddedOptions, lockPath: string, holding: Holding): Promise<Embedded> {
  const undo: (() => Promise<void>)[] = [() => releaseLock(lockPath, holding.mine)]
  const stop = once(async () => {
    for (const step of undo.reverse()) await step()
  })
  try {
    return { ...(await startOwned(options, lockPath, holding, undo)), startedHere: true, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startOwned(options: EmbeddedOptions, lockPath: string, { mine, dead }: Holding, undo: Undo) {
  const { dataFolder, log, durable = true } = options
  await sweepDrafts(lockPath)
  const plan = await planOn(options, dead)
  const address = await makeAddress(plan, dataFolder)
  undo.push(() => removeSocketFolder(address.host, dataFolder))
  const launching = { plan, address, dataFolder, durable, log, lockPath }
  const { server } = await launch({ ...launching, lock: mine })
  undo.push(server.stop)
  await server.awaitReady()
  const urls = { ownerUrl: buildUrl(address, 'stoa_owner', 'stoa'), appUrl: buildUrl(address, 'stoa_app', 'stoa') }
  const lock = { ...mine, ...urls }
  await record({ ...launching, lock }, server)
  const supervised = superviseHere(options, server, { ...launching, lock })
  if (supervised) undo.push(supervised.stop)
  return { ...urls, state: () => supervised?.state() ?? 'running' }
}

function superviseHere({ supervision, log }: EmbeddedOptions, server: Server, launching: Launching) {
  if (supervision === undefined) {
    const noticeEnd = (how: string) => log(`${how}; its log is ${join(launching.dataFolder, 'postgres.log')}`)
    server.ended.then(how => server.isStopping() || noticeEnd(how))
    return undefined
  }
  return supervise(server, relaunching(launching, supervision))
}

type Undo = (() => Promise<void>)[]

// A plan with a finished cluster that nobody uses any more.
async function planOn(options: EmbeddedOptions, dead: Lock | undefined): Promise<Plan> {
  const { dataFolder, log, durable = true } = options
  const binFolder = options.binFolder ?? (await packagedBinaries())
  const cluster = await findCluster(dataFolder, log)
  await endLeftOver({ binFolder, cluster: cluster.folder }, dead, log)
  const plan = await makePlan({ dataFolder, cluster, binFolder, log })
  if (dead?.socketFolder) await removeSocketFolder(dead.socketFolder, dataFolder)
  if (cluster.owner) await checkVersion(cluster, plan.version)
  else await initialise(plan, dataFolder, durable)
  return plan
}

function initialise(plan: Plan, dataFolder: string, durable: boolean): Promise<void> {
  const sync = durable ? [] : ['--no-sync']
  if (process.platform !== 'win32') {
    return createCluster(plan, dataFolder, ['--auth-local=trust', '--auth-host=reject', ...sync])
  }
  return withPasswordFile(dataFolder, words => createCluster(plan, dataFolder, [...words, ...sync]))
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= action()
    return done
  }
}
