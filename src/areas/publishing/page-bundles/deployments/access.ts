import { getPage, lockPage, type PageRow } from '#src/areas/publishing/pages/index.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type DeploymentRow, findDeployment } from './queries.ts'

type Named = { readonly page_id: string; readonly deployment_id: string }
type Found = { readonly page: PageRow; readonly row: DeploymentRow }

const found = async ({ db, school }: AsCaller, page: PageRow, id: string): Promise<Found> => {
  const row = await findDeployment(db, school.id, page.id, id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such deployment.')
  return { page, row }
}

/** The deployment in a path, with its page; refuses with 404 when there is none. */
export const getDeployment = async (context: AsCaller, named: Named): Promise<Found> =>
  found(context, await getPage(context, named.page_id), named.deployment_id)

/** The same, with the page locked until the transaction ends, so that nothing else is promoted or deleted. */
export const lockDeployment = async (context: AsCaller, named: Named): Promise<Found> =>
  found(context, await lockPage(context, named.page_id), named.deployment_id)
