import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** Runs a program on its own file system, whose path is its first argument; returns its output, which is JSON. */
const onDisk = async (options: string, program: string) => {
  const disk = await mkdtemp(join(tmpdir(), 'stoa-disk-'))
  const script = 'mount -t tmpfs -o "$1" stoa "$2" && exec "$3" --input-type=module --eval "$4" "$2"'
  const words = ['--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', options, disk]
  const child = spawn('unshare', [...words, process.execPath, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8')
  })
  const [code] = await once(child, 'close')
  await rm(disk, { recursive: true, force: true })
  assert.equal(code, 0)
  return JSON.parse(out)
}

const put = `
  import { openFolder } from '#src/store/folder.ts'
  const store = openFolder(process.argv[1])
  const body = async function* () { yield Buffer.alloc(256 * 1024) }
  const error = await store.put('abc/files/one', body(), 256 * 1024).then(() => undefined, error => error)
  const left = []
  for await (const { key } of store.list('')) left.push(key)
  console.log(JSON.stringify({ code: error?.problem?.code, headers: error?.extras?.headers, left }))`

for (const [what, options] of [
  ['room for the file', 'size=64k'],
  ['room for its folder', 'size=1m,nr_inodes=2'],
] as const)
  test(`an upload to a disk without ${what} is refused with 503, and nothing is left of it`, async () => {
    const { code, headers, left } = await onDisk(options, put)
    assert.deepEqual([code, headers, left], ['unavailable', { 'retry-after': '60' }, []])
  })

const mail = `
  import { readdirSync } from 'node:fs'
  import { createSend } from '#src/identity/mail/send.ts'
  const [, folder] = process.argv
  const send = createSend({ smtpUrl: undefined, from: 'stoa@mail.invalid', folder, onFile: () => undefined })
  const message = { id: 'one', from: { name: 'School', address: 'stoa@mail.invalid' }, to: 'ada@crumb.example',
    replyTo: undefined, subject: 'Hello', text: 'x'.repeat(256 * 1024), html: '<p>Hello</p>' }
  const error = await send(message).then(() => undefined, error => error)
  console.log(JSON.stringify({ code: error?.code, left: readdirSync(folder) }))`

test('a mail to a folder on a full disk fails, to be tried again, and leaves no half of it', async () => {
  assert.deepEqual(await onDisk('size=64k', mail), { code: 'ENOSPC', left: [] })
})
