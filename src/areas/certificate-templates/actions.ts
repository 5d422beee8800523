import type { Static } from 'typebox'
import { fileViews, useFile } from '#src/areas/storage/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { holdTemplate, insertTemplate, type TemplateRow, type TemplateValues } from './queries.ts'
import { BLANK, faultsOfTemplate, templateValuesOf } from './rules.ts'
import type { CertificateTemplate, TemplateInput } from './schema.ts'

type Where = { readonly db: Db; readonly school: School }
type Looking = Where & { readonly caller: Caller; keyFor(purpose: string): Buffer }

/** Templates as those see them who may, with their images. */
export const templateViews = async (
  looking: Looking,
  rows: readonly TemplateRow[],
): Promise<Static<typeof CertificateTemplate>[]> => {
  const images = await fileViews(
    looking,
    rows.flatMap(row => (row.image_file_id === null ? [] : [row.image_file_id])),
  )
  return rows.map(row => ({
    id: toId('ctp', row.id),
    name: row.name,
    title: row.title,
    text: row.body,
    locale: row.locale,
    colors: { accent: row.accent_color, text: row.text_color, background: row.background_color },
    orientation: row.orientation,
    page_size: row.page_size,
    hours: row.hours,
    signature_name: row.signature_name,
    signature_role: row.signature_role,
    image_file_id: row.image_file_id === null ? null : toId('fil', row.image_file_id),
    image: row.image_file_id === null ? null : (images.get(row.image_file_id) ?? null),
    course_count: row.course_count,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

/** One template as those see it who may. */
export const templateView = async (looking: Looking, row: TemplateRow): Promise<Static<typeof CertificateTemplate>> => {
  const [view] = await templateViews(looking, [row])
  if (view === undefined) throw new Error('a row has a view')
  return view
}

const pointer = '/image_file_id'

// Takes the image into use; what cannot be printed is not taken.
const imageOf = async (looking: Looking, before: string | null, said: string | null | undefined) => {
  if (said === undefined || said === null) return said === undefined ? before : null
  if (before !== null && said === toId('fil', before)) return before
  const id = await useFile(looking, { id: said, pointer, purposes: ['course', 'appearance'] })
  const type = (await fileViews(looking, [id])).get(id)?.content_type ?? ''
  if (!type.startsWith('image/')) refuseInvalid([{ pointer, code: 'not_an_image', message: 'is not an image' }])
  return id
}

/** A template after what somebody said of it; refuses what cannot be stored. */
export const checkedTemplate = async (
  looking: Looking,
  before: TemplateValues,
  said: Partial<TemplateInput>,
): Promise<TemplateValues> => {
  const { image_file_id: image, ...rest } = said
  refuseInvalid(faultsOfTemplate(templateValuesOf(before, rest, null)))
  return templateValuesOf(before, rest, await imageOf(looking, before.image_file_id, image))
}

/** Makes a template without an image. */
export const addTemplate = (
  { db, school, now }: Where & { readonly now: Date },
  said: Partial<TemplateInput> & Pick<TemplateInput, 'name'>,
): Promise<TemplateRow> => {
  const values = templateValuesOf({ ...BLANK, locale: school.locale }, said, null)
  refuseInvalid(faultsOfTemplate(values))
  return insertTemplate(db, school.id, newUuid(now.getTime()), values)
}

/** What is wrong with the template that a course is to use; it stays until the transaction ends. */
export const faultsOfCourseTemplate = async ({ db, school }: Where, id: string | null): Promise<FieldError[]> =>
  id === null || (await holdTemplate(db, school.id, id))
    ? []
    : [{ pointer: '/certificate_template_id', code: 'unknown', message: 'is not a certificate template' }]

/** The row's id of a template's id on the wire; one of the right form that nothing has stays one. */
export const templateUuid = (id: string): string => fromId('ctp', id) ?? ''
