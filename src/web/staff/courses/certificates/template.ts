import { randomUUID } from 'node:crypto'
import { CertificateTemplate } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import {
  type FormFile,
  type FormWithFiles,
  fileForm,
  form,
  formKeyIn,
  page,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import type { StaffSection } from '../../section.ts'
import { blankTemplate, formOfTemplate, settingsIn, type TemplateShown } from './template-form.ts'
import { templatePage } from './template-page.ts'

const PATH = '/staff/certificates'

const paramsOf = ({ request }: StaffContext) => ({ template_id: request.params.id ?? '' })

const getTemplate = (context: StaffContext): Promise<TemplateShown> =>
  context.call({ operation: 'getCertificateTemplate', params: paramsOf(context), returns: CertificateTemplate })

type Again = { readonly form: Pairs; readonly refusal: Refusal }

const showNew = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const typed = again?.form ?? blankTemplate(context.language)
  return templatePage({ context, template: undefined, typed, refusal: again?.refusal, formKey: randomUUID() })
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const template = await getTemplate(context)
  const isTyped = again !== undefined && formField(again.form, 'act') === 'save'
  const typed = isTyped ? again.form : formOfTemplate(template)
  return templatePage({ context, template, typed, refusal: again?.refusal, formKey: '' })
}

const create = (context: StaffContext, form: Pairs): Promise<Reply> => {
  const call = { operation: 'createCertificateTemplate', returns: CertificateTemplate, ...formKeyIn(form) }
  const work = async () => `${PATH}/${(await context.call({ ...call, body: settingsIn(form) })).id}?done=created`
  return shownAgain(work, refusal => showNew(context, { form, refusal }))
}

const change = (context: StaffContext, form: Pairs, body: object): Promise<undefined> =>
  context.call({
    operation: 'updateCertificateTemplate',
    params: paramsOf(context),
    body,
    revision: revisionIn(form),
  })

const act = async (context: StaffContext, form: Pairs, file: FormFile | undefined): Promise<string> => {
  const own = `${PATH}/${paramsOf(context).template_id}`
  switch (formField(form, 'act')) {
    case 'save':
      await change(context, form, settingsIn(form))
      return `${own}?done=saved`
    case 'picture': {
      const id = await storeFile(context.parts, context.person, file, 'course')
      await change(context, form, { image_file_id: id })
      return `${own}?done=saved#picture`
    }
    case 'remove_picture':
      await change(context, form, { image_file_id: null })
      return `${own}?done=saved#picture`
    case 'delete':
      await context.call({
        operation: 'deleteCertificateTemplate',
        params: paramsOf(context),
        revision: revisionIn(form),
      })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = (context: StaffContext, { form, files: [file] }: FormWithFiles): Promise<Reply> =>
  shownAgain(
    () => act(context, form, file),
    refusal => show(context, { form, refusal }),
  )

/** GET and POST /staff/certificates/new and /staff/certificates/:id. */
export const templateDetails: StaffSection = {
  // The list of templates leads to them.
  entries: [],
  pages: [
    page(`GET ${PATH}/new`, staff, context => showNew(context)),
    form(`POST ${PATH}/new`, staff, create),
    page(`GET ${PATH}/:id`, staff, context => show(context)),
    fileForm(`POST ${PATH}/:id`, staff, submit),
  ],
}
