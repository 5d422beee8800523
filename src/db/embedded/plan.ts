import { doesNotRun, packagedBinaries, versionIn } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { planAsRoot } from './plan-as-root.ts'
import { type Way, workingWay } from './way.ts'

/** How this process runs PostgreSQL: in which way, with which binaries, on which cluster. */
export type Plan = { way: Way; binFolder: string; version: string; cluster: string }

/** What a plan is made from. */
export type Circumstances = { dataFolder: string; cluster: Cluster; binFolder: string; log: (line: string) => void }

/** Finds out how PostgreSQL can be run here, by trying. */
export async function makePlan(given: Omit<Circumstances, 'binFolder'> & { binFolder?: string }): Promise<Plan> {
  const binFolder = given.binFolder ?? (await packagedBinaries())
  if (process.getuid?.() === 0) return planAsRoot({ ...given, binFolder })
  const { dataFolder, cluster } = given
  const found = await workingWay({ words: [] }, binFolder, dataFolder)
  if (!found) throw await doesNotRun(binFolder)
  return { way: found.way, binFolder, version: versionIn(found.output), cluster: cluster.folder }
}
