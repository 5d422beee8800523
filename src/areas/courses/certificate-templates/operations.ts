import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getReadableTemplate, noTemplate } from './access.ts'
import { templateDeletion } from './hooks.ts'
import {
  countTemplates,
  deleteTemplateRow,
  insertTemplate,
  listTemplateRows,
  lockTemplate,
  storeTemplate,
  type TemplateValues,
} from './queries.ts'
import { BLANK, templateInUse } from './rules.ts'
import {
  CertificateTemplate,
  CertificateTemplateChanges,
  CertificateTemplatePage,
  NewCertificateTemplate,
  TemplateRef,
  TemplatesQuery,
} from './schema.ts'
import { templateView, templateViews } from './views.ts'
import { checkedTemplate } from './writes.ts'

const anyOne = { template_id: exampleFrom('ctp', 'listCertificateTemplates') }

const unused = exampleFrom('ctp', 'listCertificateTemplates', { having: { course_count: 0 } })

const listCertificateTemplates = declareFor('staff', 'courses', {
  id: 'listCertificateTemplates',
  route: 'GET /certificate-templates',
  summary: 'List certificate templates',
  description: 'Lists the certificate templates of the school.',
  query: TemplatesQuery,
  returns: CertificateTemplatePage,
  async handle(context) {
    const { db, school } = context
    const found = await listTemplateRows(db, school.id, parsePage(context))
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => templateViews(context, rows),
      total: () => countTemplates(db, school.id),
    })
  },
})

const getCertificateTemplate = declareFor('lecturer_of', 'courses', {
  id: 'getCertificateTemplate',
  route: 'GET /certificate-templates/:template_id',
  summary: 'Get a certificate template',
  description: 'Returns one certificate template. Staff read all templates, lecturers those that their courses use.',
  params: TemplateRef,
  returns: CertificateTemplate,
  example: {
    params: {
      template_id: exampleFrom('ctp', 'getCourse', { at: 'certificate_template_id' }),
    },
  },
  async handle(context) {
    const row = await getReadableTemplate(context, context.params.template_id)
    const actions = ['getCertificateTemplate', 'updateCertificateTemplate', 'deleteCertificateTemplate']
    return { ...(await templateView(context, row)), allowed_actions: context.allowedActions(actions) }
  },
})

const createCertificateTemplate = declareFor('staff', 'courses', {
  id: 'createCertificateTemplate',
  route: 'POST /certificate-templates',
  summary: 'Create a certificate template',
  description:
    'Creates a template. A course that names it in `certificate_template_id` issues a certificate to everyone who completes the course.',
  body: NewCertificateTemplate,
  returns: CertificateTemplate,
  status: 201,
  example: {
    body: {
      name: 'Workshops',
      title: 'Certificate of attendance',
      text: '{name}\nbaked with us in the workshop\n{course}\non {date}.',
    },
  },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const values = await checkedTemplate(context, { ...BLANK, locale: school.locale }, body)
    const row = await insertTemplate(db, school.id, newUuid(now.getTime()), values)
    const id = toId('ctp', row.id)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'certificate_template.created', payload: { template_id: id } })
    return templateView(context, row)
  },
})

const updateCertificateTemplate = declareFor('staff', 'courses', {
  id: 'updateCertificateTemplate',
  route: 'PATCH /certificate-templates/:template_id',
  summary: 'Update a certificate template',
  description:
    'Changes a template. Certificates that were already issued keep their look; a replacement gets the new one.',
  ifMatch: 'honoured',
  params: TemplateRef,
  body: CertificateTemplateChanges,
  returns: CertificateTemplate,
  example: { params: anyOne, body: { signature_name: 'Ada Moreira', signature_role: 'Head baker' } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await lockTemplate(db, school.id, params.template_id)
    if (row === undefined) throw noTemplate()
    return changeRow(context, row, {
      id: toId('ctp', row.id),
      fact: 'certificate_template.updated',
      values: (): Promise<TemplateValues> => checkedTemplate(context, row, body),
      store: values => storeTemplate(db, school.id, row.id, values),
      view: stored => templateView(context, stored),
    })
  },
})

const deleteCertificateTemplate = declareFor('staff', 'courses', {
  id: 'deleteCertificateTemplate',
  route: 'DELETE /certificate-templates/:template_id',
  summary: 'Delete a certificate template',
  description: 'Deletes a template that no course uses.',
  ifMatch: 'honoured',
  params: TemplateRef,
  returns: undefined,
  fails: [templateInUse],
  example: { params: { template_id: unused } },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockTemplate(db, school.id, params.template_id)
    if (row === undefined) throw noTemplate()
    await requireMatch(row.revision, () => templateView(context, row))
    if (row.course_count > 0)
      throw new Refusal(templateInUse, `${row.course_count} courses use this template.`, {
        members: { courses: row.course_count },
      })
    await templateDeletion.call({ templateId: row.id }, { db, school })
    await deleteTemplateRow(db, school.id, row.id)
    const id = toId('ctp', row.id)
    changed({ ids: [id], fields: [] })
    record({ type: 'certificate_template.deleted', payload: { template_id: id } })
  },
})

/** What can be done with templates, in the order of the documentation. */
export const templateOperations = [
  listCertificateTemplates,
  getCertificateTemplate,
  createCertificateTemplate,
  updateCertificateTemplate,
  deleteCertificateTemplate,
]
