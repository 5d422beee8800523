import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The size of installed packages in MB: all of them, and what an installation without development dependencies has. */
export type Dependencies = { readonly all: number; readonly production: number }

type Lockfile = { readonly packages: Readonly<Record<string, { readonly dev?: true; readonly link?: true }>> }

/** The bytes of all files below a folder; 0 when there is none. */
export const bytesBelow = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

const ownBytes = async (root: string, path: string): Promise<number> => {
  const folder = join(root, path)
  // A package's own nested packages are in the lockfile too, and what Node has compiled belongs to none.
  const [all, nested, compiled] = await Promise.all(
    [folder, join(folder, 'node_modules'), join(folder, '.cache')].map(bytesBelow),
  )
  return (all ?? 0) - (nested ?? 0) - (compiled ?? 0)
}

/** Measures `node_modules` of a folder; which packages are for development only is in its lockfile. */
export const measureDependencies = async (root: string): Promise<Dependencies> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  const [all, sizes] = await Promise.all([
    ownBytes(root, 'node_modules'),
    Promise.all(needed.map(([path]) => ownBytes(root, path))),
  ])
  const production = sizes.reduce((sum, size) => sum + size, 0)
  return { all: Math.round(all / 1e6), production: Math.round(production / 1e6) }
}
