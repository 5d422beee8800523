import type { Static } from 'typebox'
import { CertificateTemplate } from '#src/areas/courses/index.ts'
import { notPrintable, printTemplate } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, sentenceIn } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Again,
  actBesideText,
  actIn,
  buildState,
  choice,
  doneIn,
  type Field,
  type FormFile,
  fieldsFor,
  fileForm,
  formKeyIn,
  hiddenFor,
  line,
  noticeFor,
  optionalLine,
  page,
  readDone,
  renderConflict,
  required,
  shownAgain,
  TAKE_THEIRS,
  text as textField,
  whole,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { besides } from '../../console/frame.ts'
import { deletePart, fileRefusals, picturePart, storeFile } from '../../files/uploads/index.ts'
import { allowFrame } from '../../pages/frames.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'

const { certificateRefusals, common: text, fields } = texts.staff.certificates

const said = {
  ...staffText.refusals,
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body image_file_id': fileRefusals['invalid_body file_id'],
  ...certificateRefusals,
}

const PATH = '/staff/certificates'

type TemplateShown = Encoded<Static<typeof CertificateTemplate>>

const color: Field<string> = {
  ...line({ most: 7 }),
  kind: 'box',
  control: ({ name, typed, about }) =>
    html`<span class="color"><input type="color" id="${name}" name="${name}" value="${formField(typed, name)}"${about}></span>`,
}

// What each design looks like, for the cards on which one is chosen.
const LINES = html`<path d="M32 24h28M24 33h44M36 40h20"/><path d="M24 50h12m24 0h8"/>`
const pictures: Readonly<Record<string, Html>> = {
  frame: html`<path class="accent" d="M4 4h84v57H4zm3 3h78v51H7z"/>${LINES}`,
  band: html`<path class="accent fill" d="M0 0h18v65H0z"/><path d="M28 22h30M28 31h44M28 38h24M28 50h14m26 0h10"/>`,
  plain: html`<path class="accent fill" d="M0 0h92v5H0z"/>${LINES}`,
}

const design: Field<TemplateShown['design']> = {
  ...choice(['frame', 'band', 'plain']),
  kind: 'group',
  control({ id, name, typed, texts, language }) {
    const chosen = formField(typed, name)
    return html`<div class="choices three">
${Object.entries(pictures).map(
  ([value, picture]) =>
    html`<label class="choice"><svg class="paper" viewBox="0 0 92 65" width="92" height="65" aria-hidden="true">${picture}</svg><span><input type="radio" id="${id}-${value}" name="${name}" value="${value}"${value === chosen && html` checked`}>${texts.choices?.[value] && fill(texts.choices[value], language)}</span></label>
`,
)}</div>`
  },
}

type Colors = { readonly [Name in keyof TemplateShown['colors'] & string as `colors_${Name}`]: string }

const templateFields = fieldsFor<TemplateShown & Colors>()(fields, {
  name: required(line({ most: 120 })),
  title: required(line({ most: 120 })),
  text: required(textField({ most: 1000, rows: 6 })),
  signature_name: optionalLine({ most: 120 }),
  signature_role: optionalLine({ most: 120 }),
  design,
  orientation: choice(['landscape', 'portrait']),
  page_size: choice(['A4', 'Letter']),
  colors_background: color,
  colors_text: color,
  colors_accent: color,
  locale: required(line({ most: 35 })),
  hours: whole(),
})

// A new template is in the language of the page.
const blankTemplate = ({ t, language }: StaffContext) =>
  ({
    name: t(text.blankName),
    title: t(texts.words.certificate),
    text: sentenceIn(text.blankText, language),
    locale: language,
    colors: { accent: '#8a3b12', text: '#1d1b18', background: '#ffffff' },
    design: 'frame',
    orientation: 'landscape',
    page_size: 'A4',
  }) as const

// The words that a template fills in are shown as they are written.
const values = Object.fromEntries(['name', 'course', 'date', 'school', 'hours'].map(word => [word, `{${word}}`]))

const readParams = ({ params }: StaffContext) => ({ template_id: params.id ?? '' })

const readTemplate = (context: StaffContext): Promise<TemplateShown> =>
  context.call({ operation: 'getCertificateTemplate', params: readParams(context), returns: CertificateTemplate })

const buildPairs = (context: StaffContext, template: TemplateShown | undefined): Pairs => {
  const { colors, ...stored } = template ?? blankTemplate(context)
  const given = Object.fromEntries(Object.entries(colors).map(([name, value]) => [`colors_${name}`, value]))
  return templateFields.pairs({ ...stored, ...given }, context)
}

const buildPreviewPath = ({ id }: TemplateShown): string => `${PATH}/${id}/preview`

// A certificate as it will be, with the name of whoever looks at it.
const previewPart = ({ t }: StaffContext, path: string): Html => html`<section aria-label="${t(text.preview)}">
<iframe class="paper" src="${path}#toolbar=0&amp;view=Fit" title="${t(text.preview)}" loading="lazy"></iframe>
<p class="quiet">${t(text.previewAbout)} <a href="${path}" target="_blank">${t(text.openPreview)}</a></p></section>
`

const showPreview = async (context: StaffContext): Promise<Reply> => {
  const { t, request, parts, session } = context
  const { id } = await readTemplate(context)
  const sample = { name: session.member.name, course: t(text.sampleCourse) }
  const printed = await printTemplate(request, parts, { templateId: fromId('ctp', id), ...sample })
  if (printed === undefined || 'missing' in printed) throw notPrintable(printed?.missing ?? [])
  return {
    status: 200,
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="certificate.pdf"',
      'cache-control': 'private, no-store',
      // Nothing else: viewers of PDFs in browsers follow the policy of the document.
      'content-security-policy': "frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    },
    body: printed.pdf,
  }
}

const showTemplate = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, language, request, form, params } = context
  const template = params.id === undefined ? undefined : await readTemplate(context)
  const stored = buildPairs(context, template)
  const state = buildState({ ...context, values }, refused, 'save', stored)
  const inside = html`${hiddenFor(state, template?.revision)}
${templateFields.rows(state, ['name', 'design', 'title', 'text', ['signature_name', 'signature_role']])}
<fieldset><legend>${t(text.look)}</legend>
${templateFields.rows(state, [
  ['orientation', 'page_size'],
  ['colors_background', 'colors_text', 'colors_accent'],
])}</fieldset>
${templateFields.rows(state, [['locale', 'hours']])}
${template !== undefined && template.course_count > 0 && html`<p class="quiet">${t(text.issued)}</p>\n`}<div class="buttons"><button class="main" type="submit" name="act" value="save">${t(template === undefined ? texts.words.createTemplate : texts.words.save)}</button></div>`
  const reply = context.frame({
    title: template?.name ?? t(texts.words.createTemplate),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { sets: [templateFields], said }),
    ...besides(
      html`${renderConflict(context, refused && { ...refused, stored, fields: templateFields, within: 'template' })}${template !== undefined && previewPart(context, buildPreviewPath(template))}${form(inside, undefined, { id: 'template', hasFiles: true, draft: 'template' })}`,
      template !== undefined &&
        html`${picturePart(context, { ...template, purpose: 'course', picture: template.image, within: 'template' }, text)}\n${deletePart(context, template.revision, text)}`,
    ),
  })
  return template === undefined ? reply : allowFrame(reply, context.school, buildPreviewPath(template))
}

const readBody = (context: StaffContext, typed: Pairs) => {
  const { colors_accent, colors_text, colors_background, ...body } = templateFields.body(typed, context)
  return { ...body, colors: { accent: colors_accent, text: colors_text, background: colors_background } }
}

const templateActs = {
  save: { operation: 'updateCertificateTemplate', offered: () => false },
  picture: { operation: 'updateCertificateTemplate', offered: () => false },
  remove_picture: { operation: 'updateCertificateTemplate', body: { image_file_id: null }, offered: () => false },
  delete: { operation: 'deleteCertificateTemplate', offered: () => false },
} as const satisfies Readonly<Record<string, Act<TemplateShown>>>

const perform = async (context: StaffContext, typed: Pairs, file: FormFile | undefined): Promise<string> => {
  const { parts, person } = context
  const { name, call } = actIn(templateActs, typed, { params: readParams(context), reader: context })
  const picture = async () => ({ image_file_id: await storeFile(parts, person, file, 'course') })
  if (name === 'save')
    await context.call({ ...call, body: { ...readBody(context, typed), ...(file && (await picture())) } })
  else if (name === 'picture') await context.call({ ...call, body: await picture() })
  else await context.call(call)
  if (name === 'delete') return `${PATH}?done=deleted`
  return `${PATH}/${context.params.id}?done=saved${name === 'save' ? '' : '#picture'}`
}

const submitPicture = (context: StaffContext, typed: Pairs, work: () => Promise<string>): Promise<Reply> => {
  const act = formField(typed, 'act')
  if (act === TAKE_THEIRS) return showTemplate(context, { act, typed })
  const attach = async () => {
    const text = { names: templateFields.names, stored: buildPairs(context, await readTemplate(context)) }
    const show = (typed: Pairs) => showTemplate(context, { act: 'save', typed })
    return actBesideText(context, typed, text, { act: work, show })
  }
  return shownAgain(act === 'picture' ? attach : work, refusal =>
    showTemplate(context, { act: act === 'picture' ? 'save' : act, typed, refusal }),
  )
}

/** GET and POST /staff/certificates/new and /staff/certificates/:id, and its preview as a PDF. */
export const templateDetails = [
  page(`GET ${PATH}/new`, staff, context => showTemplate(context)),
  fileForm(`POST ${PATH}/new`, staff, (context, { form: typed }) =>
    shownAgain(
      async () => {
        const call = { operation: 'createCertificateTemplate', body: readBody(context, typed), ...formKeyIn(typed) }
        return `${PATH}/${(await context.call({ ...call, returns: CertificateTemplate })).id}?done=created`
      },
      refusal => showTemplate(context, { act: 'save', typed, refusal }),
    ),
  ),
  page(`GET ${PATH}/:id`, staff, context => showTemplate(context)),
  page(`GET ${PATH}/:id/preview`, staff, context => showPreview(context)),
  fileForm(`POST ${PATH}/:id`, staff, (context, { form: typed, files: [file] }) =>
    submitPicture(context, typed, () => perform(context, typed, file)),
  ),
]
