import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, Nullable, OneOf, Recorded, Ref, Words } from '#src/kit/shapes.ts'

const Color = (description: string) => Type.String({ pattern: '^#[0-9a-f]{6}$', description })

/** The colors of a certificate. */
const CertificateColors = Closed('CertificateColors', {
  accent: Color('The frame, band or bar, and the names'),
  text: Color('The words'),
  background: Color('The paper'),
})

/** The writable fields of a template. */
const TemplateSettings = Type.Object({
  name: Line(120, 'The name for staff'),
  title: Line(120, 'The heading, such as Certificate'),
  text: Words(
    1000,
    'What it says, as plain text. {name}, {course}, {date}, {school} and {hours} are filled in; a line with {name} or {course} alone is set large.',
  ),
  locale: Type.String({
    pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
    description: 'The language of its words, in which the date is written',
  }),
  colors: CertificateColors,
  design: OneOf(
    ['frame', 'band', 'plain'],
    'How it is set: in a frame, beside a band of color, or below a bar of color',
  ),
  orientation: OneOf(['portrait', 'landscape'], 'The orientation of the page'),
  page_size: OneOf(['A4', 'Letter'], 'The paper size'),
  hours: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'The value of {hours}; null: the whole hours that the lessons take, or – under one hour',
    }),
  ),
  signature_name: Nullable(Line(120, 'Who signs')),
  signature_role: Nullable(Line(120, 'The role of the signatory')),
  image_file_id: Nullable(Id('fil')),
})

/** How the certificates of a course look, and what they say. */
export const CertificateTemplate = Closed('CertificateTemplate', {
  id: Id('ctp'),
  ...TemplateSettings.properties,
  image: Nullable(FileView),
  course_count: Type.Integer({ minimum: 0, description: 'How many courses use it' }),
  ...Recorded,
})

/** A new template; only the name must be there. */
export const NewCertificateTemplate = Closed('NewCertificateTemplate', {
  ...Type.Partial(TemplateSettings).properties,
  name: TemplateSettings.properties.name,
})

/** A change of a template. */
export const CertificateTemplateChanges = MergePatch(TemplateSettings, 'CertificateTemplateChanges')

/** What a template is named by in a path. */
export const TemplateRef = Type.Object({ template_id: Ref('ctp') })

/** The query parameters of the list of templates. */
export const TemplatesQuery = Type.Object({ ...PageQuery })

/** One page of the templates. */
export const CertificateTemplatePage = PageOf(CertificateTemplate, 'CertificateTemplatePage')

/** The input of a template, as values. */
export type TemplateInput = Static<typeof TemplateSettings>
