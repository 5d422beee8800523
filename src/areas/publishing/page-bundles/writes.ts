import type { Database } from '#src/contract/db.ts'
import type { Store } from '#src/contract/store.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertDeployment, storeLive } from './deployments/queries.ts'
import { createUnpacking } from './unpacking/jobs.ts'
import { DEPLOYMENT_JOB } from './unpacking/queries.ts'

/** Where a deployment is added: the school, and the static page of it. */
type Place = {
  readonly database: Database
  readonly store: Store
  readonly schoolId: string
  readonly pageId: string
}

/** Deploys an archive that is a file of the school, and makes it the live one of its page; for the demo. */
export const addLiveDeployment = async (context: Place, fileId: string): Promise<void> => {
  const { database, schoolId, pageId } = context
  const id = await database.transaction(schoolId, async (db, now) => {
    const deploymentId = newUuid(now.getTime())
    await insertDeployment(db, schoolId, { id: deploymentId, pageId, fileId })
    return deploymentId
  })
  const { settle } = await createUnpacking(context)({ kind: DEPLOYMENT_JOB, schoolId, id, attempt: 1 })
  await database.transaction(schoolId, async db => {
    await settle(db)
    await storeLive(db, schoolId, pageId, id)
  })
}
