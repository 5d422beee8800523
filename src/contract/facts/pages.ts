import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { At, Count, declareFacts, FieldNames } from './declaration.ts'

const scope = 'pages:read'
const page = { page_id: Id('pag') }
const aboutPage = { scope, subject: 'page_id', readBy: 'getPage' } as const
const deployment = { deployment_id: Id('dep'), ...page }

/** The facts about the pages of the school's site. */
export const pageFacts = {
  ...declareFacts(
    { ...aboutPage, fields: { ...page, copied_from_id: Type.Optional(Id('pag')) } },
    { 'page.created': 'A page of the site was created.' },
  ),
  ...declareFacts(
    { ...aboutPage, fields: page },
    {
      'page.restored': 'A page of the site was restored from the bin.',
      'page.unpublished': 'A page of the site was unpublished.',
      'page.unscheduled': 'The scheduled publication of a page of the site was cancelled.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'page_id', fields: page },
    {
      'page.deleted': 'A page of the site was deleted.',
      'page.purged': 'A page of the site that was in the bin was deleted for good.',
    },
  ),
  ...declareFacts(
    { scope: 'internal', subject: 'page_id', fields: page },
    { 'page.previewed': 'A link that previews a page was made.' },
  ),
  ...declareFacts(
    { ...aboutPage, fields: { ...page, version: Count } },
    { 'page.published': 'A page of the site was published.' },
  ),
  ...declareFacts(
    { ...aboutPage, fields: { ...page, publish_at: At } },
    { 'page.scheduled': 'A page of the site was scheduled for publication.' },
  ),
  ...declareFacts(
    { ...aboutPage, fields: { ...page, fields: FieldNames, restores: Type.Optional(Count) } },
    { 'page.updated': 'A page of the site changed.' },
  ),
  ...declareFacts({ scope, fields: { count: Count } }, { 'page.reordered': 'The order of pages of the site changed.' }),
  ...declareFacts(
    { scope, subject: 'deployment_id', readBy: 'getDeployment', fields: deployment },
    {
      'deployment.checked': 'A deployment of a static page was checked.',
      'deployment.promoted': 'A deployment became the one that its static page shows.',
      'deployment.refused': 'A deployment of a static page was refused.',
      'deployment.uploaded': 'A deployment of a static page was uploaded.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'deployment_id', fields: deployment },
    { 'deployment.deleted': 'A deployment of a static page was deleted.' },
  ),
}
