import { problem } from '#src/contract/problem.ts'
import { hmac, sameBytes } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import type { DeploymentRow } from './queries.ts'
import type { deploymentStatuses } from './schema.ts'

/** The status of a deployment. */
type Status = (typeof deploymentStatuses)[number]

/** The page is made of blocks. */
export const pageNotStatic = problem(
  409,
  'page_not_static',
  'The page is not a static page',
  'Only pages of the kind static have deployments. Create a page of that kind.',
)

/** The page has the maximum number of deployments. */
export const tooManyDeployments = problem(
  409,
  'too_many_deployments',
  'The page has too many deployments',
  'A page has at most twenty deployments. Delete some that are no longer needed.',
)

/** The school has no host for its uploaded pages. */
export const pagesHostMissing = problem(
  409,
  'pages_host_missing',
  'The school has no host for static pages',
  'The scripts of an uploaded page may not share an origin with the school. The operator sets a host of its own with stoa schools set --pages-url; then promote the deployment again.',
)

/** How many deployments a page may have. */
export const MAX_DEPLOYMENTS = 20

/** The status of a deployment, which follows from what is stored. */
export const computeStatus = (row: DeploymentRow): Status => {
  if (row.status !== 'checked') return row.status
  if (row.is_live) return 'live'
  if (row.promoted_at !== null) return 'superseded'
  return row.pages_host === null ? 'checked' : 'preview'
}

// What is possible in each status, besides reading.
const ACTIONS: Readonly<Record<Status, readonly string[]>> = {
  uploaded: ['deleteDeployment'],
  refused: ['deleteDeployment'],
  checked: ['deleteDeployment'],
  preview: ['promoteDeployment', 'deleteDeployment'],
  live: [],
  superseded: ['promoteDeployment', 'deleteDeployment'],
}

/** The operations that the status of a deployment allows. */
export const listActions = (row: DeploymentRow): string[] => ['getDeployment', ...ACTIONS[computeStatus(row)]]

/** The purpose of the key that previews of deployments are signed with. */
export const PREVIEWS = 'deployment-previews'

const HOUR = 3600
const QUARTER = 900

/**
 * When the address of a preview that is returned now ends: in 45 to 60 minutes, in seconds since 1970. It ends on a quarter
 * of an hour, so that a deployment that is read again is the same.
 */
export const computeExpiry = (now: Date): number => Math.floor((now.getTime() / 1000 + HOUR) / QUARTER) * QUARTER

const computeMac = (key: Buffer, schoolId: string, id: string, expires: number): string =>
  hmac(key, ['deployment', schoolId, id, String(expires)].join('\n')).toString('base64url')

/** The path of a preview on the host for pages, with a slash at its end. No page can have it, because of the tilde. */
export const previewPath = (key: Buffer, schoolId: string, id: string, expires: number): string =>
  `/~preview/${toId('dep', id)}/${expires}-${computeMac(key, schoolId, id, expires)}/`

/** Whether the last part of the path of a preview was signed by us and has not expired. */
export const isPreviewToken = (
  key: Buffer,
  {
    schoolId,
    id,
    token,
    now,
  }: { readonly schoolId: string; readonly id: string; readonly token: string; readonly now: Date },
): boolean => {
  const [, expires = '', mac = ''] = /^(\d{1,12})-([\w-]{43})$/.exec(token) ?? []
  if (expires === '' || Number(expires) * 1000 <= now.getTime()) return false
  return sameBytes(Buffer.from(computeMac(key, schoolId, id, Number(expires))), Buffer.from(mac))
}

/** The origin of the uploaded pages of a school, which has the scheme of the school. */
export const pagesOrigin = (baseUrl: string, host: string): string => `${new URL(baseUrl).protocol}//${host}`
