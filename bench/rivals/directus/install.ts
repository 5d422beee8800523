import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MANIFEST = fileURLToPath(new URL('package.json', import.meta.url))

/** The folder in which it is installed, outside the packages of Stoa and ignored by git. */
export const folder = fileURLToPath(new URL('../../../.bench/directus', import.meta.url))

/** The folder of its packages. */
export const packages = join(folder, 'node_modules')

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'))

/** Installs Directus from npm unless this version is there; returns its name and version. */
export const installDirectus = async (): Promise<string> => {
  const version = (await json(MANIFEST)).dependencies.directus
  const installed = await json(join(packages, 'directus/package.json')).catch(() => undefined)
  if (installed?.version !== version) await install()
  return `Directus ${version}`
}

const install = async (): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await copyFile(MANIFEST, join(folder, 'package.json'))
  // Scripts of packages only fetch or build binaries, and those that are used are in the packages.
  const child = spawn('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
      npm_config_loglevel: 'error',
    },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`npm install of Directus ended with ${code}`)
}
