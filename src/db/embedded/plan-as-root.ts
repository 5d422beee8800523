import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { doesNotRun, sharedBinaries, versionIn } from './binaries.ts'
import { makeHome } from './cluster.ts'
import { EmbeddedFailed } from './errors.ts'
import type { Circumstances, Plan } from './types.ts'
import { type LaunchMethod, run, workingWay } from './way.ts'

type Account = { name: string; uid: number; gid: number }

/** How PostgreSQL, which refuses root, runs when we are root: in a user namespace, else as another user. */
export async function planAsRoot(circumstances: Circumstances, shared = '/var/lib/stoa'): Promise<Plan> {
  const { dataFolder, cluster, binFolder, log } = circumstances
  const account = await accountFor(cluster.owner)
  const mapped: LaunchMethod = { words: ['unshare', '--user', `--map-user=${account.uid}`] }
  // A cluster that belongs to somebody else is closed to root without its capabilities.
  const found = cluster.owner?.uid ? undefined : await workingWay(mapped, binFolder, dataFolder)
  if (!found) return planAsAccount(circumstances, account, shared)
  log('PostgreSQL refuses root; it runs in a user namespace of its own')
  return { way: found.way, binFolder, version: versionIn(found.output), cluster: cluster.folder }
}

async function planAsAccount(circumstances: Circumstances, account: Account, shared: string): Promise<Plan> {
  const way: LaunchMethod = { words: [], user: { uid: account.uid, gid: account.gid } }
  const binFolder = await readableBinaries(way, circumstances.binFolder, shared)
  const home = await reachableHome(circumstances, way, binFolder, account, shared)
  const found = await workingWay(way, binFolder, home)
  if (!found) throw await doesNotRun(binFolder)
  const cluster = circumstances.cluster.owner ? circumstances.cluster.folder : join(home, 'postgres')
  circumstances.log(
    `PostgreSQL refuses root; it runs as ${account.name} (uid ${account.uid}), binaries ${binFolder}, data ${cluster}`,
  )
  return { way: found.way, binFolder, version: versionIn(found.output), cluster }
}

async function readableBinaries(way: LaunchMethod, binFolder: string, shared: string): Promise<string> {
  if (await workingWay(way, binFolder, '/')) return binFolder
  const asRoot = await workingWay({ words: [] }, binFolder, '/')
  if (!asRoot) throw await doesNotRun(binFolder)
  return sharedBinaries(binFolder, versionIn(asRoot.output), shared)
}

// In place where the account gets through, because a mounted volume outlives /var/lib of a container.
async function reachableHome(
  circumstances: Circumstances,
  way: LaunchMethod,
  binFolder: string,
  account: Account,
  shared: string,
) {
  const { dataFolder, cluster } = circumstances
  const home = cluster.owner ? dirname(cluster.folder) : dataFolder
  if (await workingWay(way, binFolder, home)) {
    if (cluster.owner?.uid === 0) await handOver(cluster.folder, account)
    return home
  }
  if (cluster.owner) throw outOfReach(cluster.folder, account)
  const elsewhere = join(shared, `data-${randomBytes(4).toString('hex')}`)
  await makeHome(elsewhere)
  return elsewhere
}

async function handOver(folder: string, account: Account): Promise<void> {
  // chown goes from the leaves to the root, so one that was interrupted is seen and done again.
  const outcome = await run({ words: [] }, 'chown', ['-R', `${account.uid}:${account.gid}`, folder])
  if (!outcome.ok) throw new EmbeddedFailed(`${folder} could not be given to ${account.name}\n${outcome.output}`)
}

function outOfReach(folder: string, account: Account): EmbeddedFailed {
  const why = `PostgreSQL refuses root, user namespaces are not allowed here, and ${account.name} cannot reach ${folder}`
  return new EmbeddedFailed(`${why}; move the data folder to where every user may pass through, or start as its owner`)
}

async function accountFor(owner: { uid: number; gid: number } | undefined): Promise<Account> {
  if (owner?.uid) return { name: 'the owner of its data', ...owner }
  const accounts = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .map(readAccount)
    .filter(({ uid }) => uid > 0)
  // initdb wants a user that has a name.
  const chosen = ['stoa', 'nobody'].map(name => accounts.find(account => account.name === name))
  return chosen.find(account => account) ?? accounts[0] ?? { name: 'nobody', uid: 65534, gid: 65534 }
}

function readAccount(line: string): Account {
  const [name = '', , uid, gid] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}
