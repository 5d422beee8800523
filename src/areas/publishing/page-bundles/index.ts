import { area } from '#src/contract/area.ts'
import { deploymentOperations } from './deployments/operations.ts'
import { implementations } from './implementations.ts'
import { unpackingJobs } from './unpacking/jobs.ts'
import { upkeepJobs } from './upkeep/jobs.ts'

export { MAX_ARCHIVE_BYTES } from './archive/contents.rules.ts'
export { PageDeployment, PageDeploymentDetails, PageDeploymentList } from './deployments/schema.ts'
export { createStaticPages } from './served/lookups.ts'
export { countShown } from './served/queries.ts'
export { addLiveDeployment } from './writes.ts'

/** Deployments of static pages: bundles of files that are checked, unpacked, promoted, and served from a host of their own. */
export const pageBundles = area({
  name: 'page-bundles',
  operations: deploymentOperations,
  hooks: implementations,
  jobs: { ...unpackingJobs, ...upkeepJobs },
})
