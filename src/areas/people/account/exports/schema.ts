import Type from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'

/** The status of a data export. */
const exportStatuses = ['pending', 'ready', 'failed'] as const

/** A copy of everything that the school stores about a person. */
export const Export = Closed('Export', {
  id: Id('exp'),
  status: OneOf(exportStatuses, 'The status; after a failure another can be requested'),
  file: Nullable(FileView),
  expires_at: Nullable(Instant),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

/** An export in a path. */
export const ExportRef = Type.Object({ export_id: Id('exp') })

/** The query of a list of exports. */
export const ExportsQuery = Type.Object({ ...PageQuery })

/** One page of exports. */
export const ExportPage = PageOf(Export, 'ExportPage')
