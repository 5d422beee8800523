import { area } from '#src/contract/area.ts'
import { deploymentOperations } from './deployments/operations.ts'
import { implementations } from './implementations.ts'
import { unpackingJobs } from './unpacking/jobs.ts'
import { upkeepJobs } from './upkeep/jobs.ts'

export { PageDeployment, PageDeploymentDetails, PageDeploymentList } from './deployments/schema.ts'
export { createStaticPages } from './served/lookups.ts'

/** Deployments of static pages: bundles of files that are checked, unpacked, promoted, and served from a host of their own. */
export const pageBundles = area({
  name: 'page-bundles',
  operations: deploymentOperations,
  hooks: implementations,
  jobs: { ...unpackingJobs, ...upkeepJobs },
})
