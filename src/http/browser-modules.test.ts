import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { hashSources, locateModule } from '#src/kit/browser-modules.ts'
import { bundle, createOnce } from './browser-modules.ts'

const folderFor = async (context: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-modules-'))
  context.after(() => rm(folder, { recursive: true }))
  return folder
}

test('a module is bundled with what it imports, without its types', async context => {
  const folder = await folderFor(context)
  await writeFile(join(folder, 'said.ts'), "export const said: string = 'here I am'")
  await writeFile(join(folder, 'main.ts'), "import { said } from './said.ts'\ndocument.title = said satisfies string")
  const text = (await bundle(pathToFileURL(join(folder, 'main.ts')))).toString()
  assert.match(text, /here I am/)
  assert.doesNotMatch(text, /import|satisfies|: string/)
})

test('the address of a module changes with a file that it imports, and with nothing else', async context => {
  const folder = await folderFor(context)
  const main = pathToFileURL(join(folder, 'main.ts'))
  await writeFile(join(folder, 'said.ts'), 'export const said = 1')
  await writeFile(join(folder, 'other.ts'), 'export const other = 1')
  await writeFile(main, "import { said } from './said.ts'\nconsole.log(said)")
  const before = hashSources(main)
  await writeFile(join(folder, 'other.ts'), 'export const other = 2')
  assert.equal(hashSources(main), before)
  await writeFile(join(folder, 'said.ts'), 'export const said = 2')
  assert.notEqual(hashSources(main), before)
})

test('a module with an error is refused with its place, and others are bundled afterwards', async context => {
  const folder = await folderFor(context)
  await writeFile(join(folder, 'broken.ts'), 'const = 1')
  await assert.rejects(bundle(pathToFileURL(join(folder, 'broken.ts'))), /broken\.ts:1:6/)
  assert.ok((await bundle(locateModule('base'))).length > 0)
})

test('twenty who ask at once get one bundle, and what failed is tried again', async () => {
  let count = 0
  const read = createOnce(async (name: string) => {
    count += 1
    if (count === 1) throw new Error(`no ${name}`)
    return count
  })
  const failed = await Promise.allSettled(Array.from({ length: 20 }, () => read('base')))
  assert.deepEqual([...new Set(failed.map(({ status }) => status))], ['rejected'])
  assert.deepEqual([...new Set(await Promise.all(Array.from({ length: 20 }, () => read('base'))))], [2])
})
