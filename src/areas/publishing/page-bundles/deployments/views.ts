import type { Static } from 'typebox'
import { fileView } from '#src/areas/files/index.ts'
import type { ReadContext } from '#src/contract/operation.ts'
import { problemAt } from '../archive/schema.ts'
import { chooseContentType } from '../served/rules.ts'
import type { DeployedFile, DeploymentRow } from './queries.ts'
import { computeExpiry, computeStatus, listActions, PREVIEWS, pagesOrigin, previewPath } from './rules.ts'
import type { PageDeployment, PageDeploymentDetails } from './schema.ts'

type Showing = Pick<ReadContext, 'db' | 'school' | 'caller' | 'keyFor' | 'allowedActions'>

const buildAddresses = ({ school, keyFor }: Showing, row: DeploymentRow) => {
  const none = { preview_url: null, preview_expires_at: null, url: null }
  if (row.pages_host === null || row.status !== 'checked') return none
  const origin = pagesOrigin(school.baseUrl, row.pages_host)
  const expires = computeExpiry(row.asked_at)
  return {
    preview_url: `${origin}${previewPath(keyFor(PREVIEWS), school.id, row.id, expires)}`,
    preview_expires_at: new Date(expires * 1000),
    url: row.is_live ? `${origin}${row.page_path}/` : null,
  }
}

/** A deployment as staff see it. */
export const deploymentView = async (context: Showing, row: DeploymentRow): Promise<Static<typeof PageDeployment>> => ({
  id: row.id,
  page_id: row.page_id,
  status: computeStatus(row),
  file: await fileView(context, row.file_id),
  problems: row.problems.map(({ code, entry }) => problemAt(code, entry)),
  file_count: row.file_count,
  byte_size: row.byte_size === null ? null : Number(row.byte_size),
  ignored_count: row.ignored_count,
  root_folder: row.root_folder,
  ...buildAddresses(context, row),
  checked_at: row.checked_at,
  promoted_at: row.promoted_at,
  superseded_at: row.superseded_at,
  revision: row.revision,
  allowed_actions: context.allowedActions(listActions(row)),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

type Event = Static<typeof PageDeploymentDetails>['log'][number]

const buildLog = (row: DeploymentRow): Event[] => {
  const events: readonly { readonly event: Event['event']; readonly at: Date | null }[] = [
    { event: 'uploaded', at: row.created_at },
    { event: row.status === 'refused' ? 'refused' : 'checked', at: row.checked_at },
    { event: 'promoted', at: row.promoted_at },
    { event: 'superseded', at: row.superseded_at },
  ]
  const past = events.flatMap(({ event, at }) => (at === null ? [] : [{ event, at }]))
  return past.sort((one, other) => one.at.getTime() - other.at.getTime())
}

/** A deployment with its files and what happened to it. */
export const detailsView = async (
  context: Showing,
  row: DeploymentRow,
  files: readonly DeployedFile[],
): Promise<Static<typeof PageDeploymentDetails>> => ({
  ...(await deploymentView(context, row)),
  // The list of one that is still being checked is not certain.
  files: (row.status === 'checked' ? files : []).map(({ path, sha256, byte_size: bytes }) => ({
    path,
    content_type: chooseContentType(path),
    byte_size: Number(bytes),
    sha256: sha256.toString('hex'),
  })),
  log: buildLog(row),
})
