import Type from 'typebox'
import { FileView } from '#src/areas/storage/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'

/** How far the copy of somebody's data has got. */
export const exportStatuses = ['pending', 'ready', 'failed'] as const

/** A copy of everything that tells of a person, on its way to them. */
export const Export = Type.Object(
  {
    id: Id('exp'),
    status: OneOf(exportStatuses, 'How far it has got; of one that failed another can be asked for'),
    file: Nullable(FileView),
    expires_at: Nullable(Instant),
    revision: Revision,
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Export' },
)

/** What an export is named by in a path. */
export const ExportRef = Type.Object({ export_id: Id('exp') })

/** What a list of exports can be asked. */
export const ExportsQuery = Type.Object({ ...PageQuery })

/** One page of exports. */
export const ExportPage = PageOf(Export, 'ExportPage')
