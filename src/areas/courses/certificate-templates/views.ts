import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import type { TemplateRow } from './queries.ts'
import type { CertificateTemplate } from './schema.ts'

/** Where templates are shown with their images. */
export type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

/** Templates with their images, for callers who may read them. */
export const templateViews = async (
  context: Showing,
  rows: readonly TemplateRow[],
): Promise<Static<typeof CertificateTemplate>[]> => {
  const images = await fileViews(
    context,
    rows.flatMap(row => (row.image_file_id === null ? [] : [row.image_file_id])),
  )
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    title: row.title,
    text: row.body,
    locale: row.locale,
    colors: { accent: row.accent_color, text: row.text_color, background: row.background_color },
    design: row.design,
    orientation: row.orientation,
    page_size: row.page_size,
    hours: row.hours,
    signature_name: row.signature_name,
    signature_role: row.signature_role,
    image_file_id: row.image_file_id,
    image: row.image_file_id === null ? null : (images.get(row.image_file_id) ?? null),
    course_count: row.course_count,
    revision: row.revision,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
}

/** One template, for a caller who may read it. */
export const templateView = async (context: Showing, row: TemplateRow): Promise<Static<typeof CertificateTemplate>> => {
  const [view] = await templateViews(context, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}
