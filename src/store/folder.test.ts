import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Refusal } from '#src/contract/problem.ts'
import type { Store } from '#src/contract/store.ts'
import { openFiles } from './index.ts'

const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('bread')
}

const put = (store: Store, key: string): Promise<unknown> => store.put(key, body(), 5)
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

test('a store creates its folder and those above it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'stoa-store-'))
  folders.push(root)
  const { store } = await openFiles({ folder: join(root, 'some', 'data', 'objects') })
  await put(store, 'abc/files/one')
  assert.equal((await store.find('abc/files/one'))?.size, 5)
})

test('a store whose data folder was moved away refuses files with 503 and leaves its place empty', async () => {
  const root = await mkdtemp(join(tmpdir(), 'stoa-store-'))
  folders.push(root)
  const [data, away] = [join(root, 'data'), join(root, 'away')]
  const { store } = await openFiles({ folder: join(data, 'objects') })
  await put(store, 'abc/files/one')
  await rename(data, away)
  await assert.rejects(put(store, 'abc/files/two'), error => error instanceof Refusal && error.problem.status === 503)
  assert.equal(await isThere(data), false)
  await rename(away, data)
  await put(store, 'abc/files/two')
  assert.equal((await store.find('abc/files/one'))?.size, 5)
})
