import { existsSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { connect } from './connect.ts'
import { type EmbeddedOptions, openEmbedded } from './index.ts'
import { run } from './way.ts'

const made: string[] = []
let template: Promise<string> | undefined

process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** A new empty folder of a test file, removed when the file is done. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-test-'))
  made.push(folder)
  return folder
}

/** A data folder whose cluster was made before; initdb runs once for a test file. */
export async function usedFolder(): Promise<string> {
  template ??= makeTemplate()
  const folder = await emptyFolder()
  const { ok, output } = await run({ words: [] }, 'cp', ['-R', `${await template}/.`, folder])
  if (!ok) throw new Error(output)
  return folder
}

/** Options that make a test quick and quiet; lines collects what was logged. */
export function quickly(dataFolder: string, lines: string[] = []): EmbeddedOptions & { mode: 'serve' } {
  return { dataFolder, mode: 'serve', durable: false, log: line => lines.push(line), binFolder: testedBinaries() }
}

/** Another PostgreSQL than the packaged one, for a run of the tests on it. */
export function testedBinaries(): string | undefined {
  return process.env.STOA_TEST_POSTGRES
}

/** A PATH on which only these programs are found, as on a machine that lacks the others. */
export async function createPath(...programs: string[]): Promise<string> {
  const folder = await emptyFolder()
  await chmod(folder, 0o755)
  const places = (process.env.PATH ?? '').split(delimiter)
  for (const program of programs) {
    const found = places.map(place => join(place, program)).find(existsSync)
    if (found) await symlink(found, join(folder, program))
  }
  return folder
}

/** The rows of one statement on a connection of its own. */
export async function readRows(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query(text, values)).rows
  } finally {
    await client.end()
  }
}

async function makeTemplate(): Promise<string> {
  const folder = await emptyFolder()
  const embedded = await openEmbedded(quickly(folder))
  await embedded.stop()
  return folder
}
