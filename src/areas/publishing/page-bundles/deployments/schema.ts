import Type from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { AllowedActions, Closed, Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import { BundleProblem } from '../archive/schema.ts'

/** The statuses of a deployment. */
export const deploymentStatuses = ['uploaded', 'refused', 'checked', 'preview', 'live', 'superseded'] as const

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 hash of the content' })

const shared = {
  id: Id('dep'),
  page_id: Id('pag'),
  status: OneOf(
    deploymentStatuses,
    'uploaded: it is being checked; refused: see problems; checked: it has no address, since the school has no host for pages; preview: it can be looked at; live: the page shows it; superseded: the page showed it before',
  ),
  file: Nullable(FileView),
  problems: Type.Array(BundleProblem, { description: 'Why it was refused; up to 20 problems' }),
  file_count: Nullable(Type.Integer({ description: 'How many files it has' })),
  byte_size: Nullable(Type.Integer({ description: 'How many bytes they have together' })),
  ignored_count: Nullable(
    Type.Integer({
      description: 'How many files of the archive are not published: hidden ones, and leftovers of systems',
    }),
  ),
  root_folder: Nullable(
    Type.String({ description: 'The folder of the archive that is the root of the page, where all files are in one' }),
  ),
  preview_url: Nullable(
    Type.String({
      description:
        'Shows the deployment to whoever has the address, for at most one hour; null without a host for pages',
    }),
  ),
  preview_expires_at: Nullable(Instant),
  url: Nullable(Type.String({ description: 'The address of the page, while the deployment is live' })),
  checked_at: Nullable(Instant),
  promoted_at: Nullable(Instant),
  superseded_at: Nullable(Instant),
  revision: Revision,
  allowed_actions: AllowedActions,
  created_at: Instant,
  updated_at: Instant,
}

/** A deployment of a static page, without its files. */
export const PageDeployment = Closed('PageDeployment', shared)

const DeployedFile = Closed('DeployedFile', {
  path: Type.String({ description: 'Its path below that of the page' }),
  content_type: Type.String({ description: 'The media type with which it is sent' }),
  byte_size: Type.Integer(),
  sha256: Sha256,
})

const DeploymentEvent = Closed('DeploymentEvent', {
  event: OneOf(
    ['uploaded', 'checked', 'refused', 'promoted', 'superseded'],
    'What happened, the last time that it did',
  ),
  at: Instant,
})

/** A deployment with its files and what happened to it. */
export const PageDeploymentDetails = Closed('PageDeploymentDetails', {
  ...shared,
  files: Type.Array(DeployedFile, { description: 'The files in the order of their paths; at most 2,000' }),
  log: Type.Array(DeploymentEvent, { description: 'What happened to it, the first first' }),
})

/** A page of the list of deployments. */
export const PageDeploymentList = PageOf(PageDeployment, 'PageDeploymentList')

/** How deployments are listed. */
export const DeploymentsQuery = Type.Object(PageQuery)

/** A new deployment. */
export const NewDeployment = Type.Object(
  { file_id: Id('fil') },
  { additionalProperties: false, description: 'A zip archive of at most 50 MB, uploaded for the purpose `page`' },
)
