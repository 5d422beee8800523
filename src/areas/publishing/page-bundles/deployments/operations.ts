import Type from 'typebox'
import { filesById, useFile } from '#src/areas/files/index.ts'
import { getPage, lockPage, PageRef, pageView } from '#src/areas/publishing/pages/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { Id } from '#src/kit/shapes.ts'
import { MAX_ARCHIVE_BYTES } from '../archive/contents.rules.ts'
import { DEPLOYMENT_JOB } from '../unpacking/queries.ts'
import { scheduleObjects } from '../upkeep/queries.ts'
import { getDeployment as deploymentIn, lockDeployment } from './access.ts'
import {
  countDeployments,
  type DeploymentRow,
  deleteDeploymentRow,
  deploymentList,
  insertDeployment,
  listDeployedFiles,
  storeLive,
} from './queries.ts'
import { computeStatus, MAX_DEPLOYMENTS, pageNotStatic, pagesHostMissing, tooManyDeployments } from './rules.ts'
import { DeploymentsQuery, NewDeployment, PageDeployment, PageDeploymentDetails, PageDeploymentList } from './schema.ts'
import { deploymentView, detailsView } from './views.ts'

const DeploymentRef = Type.Object({ ...PageRef.properties, deployment_id: Id('dep') })

/** A static page of the demo data, for the examples. */
const landing = { page_id: 'slug:open-day' }
const buildIds = ({ page_id: page, id }: Pick<DeploymentRow, 'page_id' | 'id'>) => ({
  page_id: toId('pag', page),
  deployment_id: toId('dep', id),
})

const listDeployments = declareFor('staff', 'pages', {
  id: 'listDeployments',
  route: 'GET /pages/:page_id/deployments',
  summary: 'List deployments of a page',
  description: 'Lists the deployments of a static page, the newest first, without their files.',
  params: PageRef,
  query: DeploymentsQuery,
  returns: PageDeploymentList,
  example: { params: landing },
  async handle(context) {
    const page = await getPage(context, context.params.page_id)
    return readList(context, deploymentList(context.school.id, page.id), rows =>
      Promise.all(rows.map(row => deploymentView(context, row))),
    )
  },
})

const getDeployment = declareFor('staff', 'pages', {
  id: 'getDeployment',
  route: 'GET /pages/:page_id/deployments/:deployment_id',
  summary: 'Get a deployment',
  description: 'Returns a deployment with its files, what was found when it was checked, and what happened to it.',
  params: DeploymentRef,
  returns: PageDeploymentDetails,
  example: { params: { ...landing, deployment_id: exampleFrom('dep', 'listDeployments') } },
  async handle(context) {
    const { db, school, params } = context
    const { row } = await deploymentIn(context, params)
    return detailsView(context, row, await listDeployedFiles(db, school.id, row.id))
  },
})

const usedArchive = async (context: WriteContext, fileId: string): Promise<string> => {
  const { db, school } = context
  const id = await useFile(context, { id: fileId, pointer: '/file_id', purposes: ['page'] })
  const bytes = Number((await filesById(db, school.id, [id])).get(id)?.byte_size)
  if (bytes > MAX_ARCHIVE_BYTES)
    refuseInvalid([{ pointer: '/file_id', code: 'maximum', message: `has more than ${MAX_ARCHIVE_BYTES} bytes` }])
  return id
}

const createDeployment = declareFor('staff', 'pages', {
  id: 'createDeployment',
  route: 'POST /pages/:page_id/deployments',
  summary: 'Deploy a bundle of files',
  description:
    'Takes a zip archive with the files of a static page, which is then checked and unpacked; read the deployment until its status is no longer `uploaded`. Visitors see it once it is promoted. Scripts in it run on the host for the pages of the school, never on that of the school.',
  params: PageRef,
  body: NewDeployment,
  returns: PageDeployment,
  status: 201,
  fails: [pageNotStatic, tooManyDeployments],
  example: {
    params: landing,
    body: { file_id: exampleFrom('fil', 'listDeployments', { at: 'file.file_id' }) },
  },
  async handle(context) {
    const { db, school, now, params, body, changed, record } = context
    const page = await lockPage(context, params.page_id)
    if (page.kind !== 'static') throw new Refusal(pageNotStatic, 'The page is made of blocks.')
    if ((await countDeployments(db, school.id, page.id)) >= MAX_DEPLOYMENTS)
      throw new Refusal(tooManyDeployments, `A page has at most ${MAX_DEPLOYMENTS} deployments.`)
    const id = newUuid(now.getTime())
    await insertDeployment(db, school.id, { id, pageId: page.id, fileId: await usedArchive(context, body.file_id) })
    await putJob(db, school.id, { kind: DEPLOYMENT_JOB, id, dueAt: now })
    const ids = buildIds({ page_id: page.id, id })
    changed({ ids: [ids.deployment_id, ids.page_id], fields: ['file_id'], revision: 1 })
    record({ type: 'deployment.uploaded', payload: ids })
    return deploymentView(context, (await deploymentIn(context, { page_id: page.id, deployment_id: id })).row)
  },
})

const promoteDeployment = declareFor('staff', 'pages', {
  id: 'promoteDeployment',
  route: 'PUT /pages/:page_id/deployments/:deployment_id/promotion',
  summary: 'Promote a deployment',
  description:
    'Makes a deployment the one that the page shows, at once and as a whole; promote an earlier one to roll back. Requires If-Match with the ETag of the page, so that two people do not promote at the same time without knowing. The page itself must be published for visitors to see it.',
  ifMatch: 'required',
  params: DeploymentRef,
  returns: PageDeployment,
  fails: [invalidState, pagesHostMissing],
  example: {
    params: { ...landing, deployment_id: exampleFrom('dep', 'listDeployments', { having: { status: 'live' } }) },
  },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { page, row } = await lockDeployment(context, params)
    await requireMatch(page.revision, () => pageView(context, page))
    if (row.status !== 'checked') throw new Refusal(invalidState, `The deployment is ${row.status}.`)
    if (row.is_live) return deploymentView(context, row)
    if (row.pages_host === null) throw new Refusal(pagesHostMissing, 'The school has no host for static pages.')
    await storeLive(db, school.id, page.id, row.id)
    const ids = buildIds(row)
    changed({ ids: [ids.page_id, ids.deployment_id], fields: ['live_deployment_id'], revision: page.revision + 1 })
    record({ type: 'deployment.promoted', payload: ids })
    return deploymentView(context, (await deploymentIn(context, { page_id: page.id, deployment_id: row.id })).row)
  },
})

const deleteDeployment = declareFor('staff', 'pages', {
  id: 'deleteDeployment',
  route: 'DELETE /pages/:page_id/deployments/:deployment_id',
  summary: 'Delete a deployment',
  description: 'Deletes a deployment with the files that no other deployment has. The live one cannot be deleted.',
  ifMatch: 'honoured',
  params: DeploymentRef,
  returns: undefined,
  fails: [invalidState],
  example: { params: { ...landing, deployment_id: exampleFrom('dep', 'createDeployment') } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const { row } = await lockDeployment(context, params)
    await requireMatch(row.revision, async () =>
      detailsView(context, row, await listDeployedFiles(db, school.id, row.id)),
    )
    if (computeStatus(row) === 'live')
      throw new Refusal(invalidState, 'The deployment is live. Promote another one, or delete the page.')
    await dropJob(db, school.id, DEPLOYMENT_JOB, row.id)
    await deleteDeploymentRow(db, school.id, row.id)
    await scheduleObjects(db, school.id, 0)
    const ids = buildIds(row)
    changed({ ids: [ids.deployment_id, ids.page_id], fields: [] })
    record({ type: 'deployment.deleted', payload: ids })
  },
})

/** What can be done with deployments, in the order of the documentation. */
export const deploymentOperations = [
  listDeployments,
  getDeployment,
  createDeployment,
  promoteDeployment,
  deleteDeployment,
]
