import { doesNotRun, versionIn } from './binaries.ts'
import { planAsRoot } from './plan-as-root.ts'
import type { Circumstances, Plan } from './types.ts'
import { workingWay } from './way.ts'

/** Finds out how PostgreSQL can be run here, by trying. */
export async function makePlan(circumstances: Circumstances): Promise<Plan> {
  if (process.getuid?.() === 0) return planAsRoot(circumstances)
  const { dataFolder, cluster, binFolder } = circumstances
  const found = await workingWay({ words: [] }, binFolder, dataFolder)
  if (!found) throw await doesNotRun(binFolder)
  return { way: found.way, binFolder, version: versionIn(found.output), cluster: cluster.folder }
}
