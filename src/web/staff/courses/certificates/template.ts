import { randomUUID } from 'node:crypto'
import { CertificateTemplate } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { FormFile } from '#src/web/page/index.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { formKeyIn, revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { perform, shownAgain, staffFileForm, staffForm, staffPage, type Visit } from '../../visit.ts'
import { blankTemplate, formOfTemplate, settingsIn, type TemplateShown } from './template-form.ts'
import { templatePage } from './template-page.ts'

const PATH = '/staff/certificates'

const paramsOf = ({ request }: Visit) => ({ template_id: request.params.id ?? '' })

const getTemplate = (visit: Visit): Promise<TemplateShown> =>
  perform(visit, { operation: 'getCertificateTemplate', params: paramsOf(visit), returns: CertificateTemplate })

type Again = { readonly form: Pairs; readonly refusal: Refusal }

const showNew = async (visit: Visit, again?: Again): Promise<Reply> => {
  const typed = again?.form ?? blankTemplate(visit.language)
  return templatePage({ visit, template: undefined, typed, refusal: again?.refusal, formKey: randomUUID() })
}

const show = async (visit: Visit, again?: Again): Promise<Reply> => {
  const template = await getTemplate(visit)
  const isTyped = again !== undefined && formField(again.form, 'act') === 'save'
  const typed = isTyped ? again.form : formOfTemplate(template)
  return templatePage({ visit, template, typed, refusal: again?.refusal, formKey: '' })
}

const create = (visit: Visit, form: Pairs): Promise<Reply> => {
  const call = { operation: 'createCertificateTemplate', returns: CertificateTemplate, ...formKeyIn(form) }
  const work = async () => `${PATH}/${(await perform(visit, { ...call, body: settingsIn(form) })).id}?done=created`
  return shownAgain(work, refusal => showNew(visit, { form, refusal }))
}

const change = (visit: Visit, form: Pairs, body: object): Promise<undefined> =>
  perform(visit, {
    operation: 'updateCertificateTemplate',
    params: paramsOf(visit),
    body,
    revision: revisionOf(form),
  })

const act = async (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<string> => {
  const own = `${PATH}/${paramsOf(visit).template_id}`
  switch (formField(form, 'act')) {
    case 'save':
      await change(visit, form, settingsIn(form))
      return `${own}?done=saved`
    case 'picture': {
      const id = await storeFile(visit.parts, visit.person, file, 'course')
      await change(visit, form, { image_file_id: id })
      return `${own}?done=saved#picture`
    }
    case 'remove_picture':
      await change(visit, form, { image_file_id: null })
      return `${own}?done=saved#picture`
    case 'delete':
      await perform(visit, {
        operation: 'deleteCertificateTemplate',
        params: paramsOf(visit),
        revision: revisionOf(form),
      })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = (visit: Visit, form: Pairs, file: FormFile | undefined): Promise<Reply> =>
  shownAgain(
    () => act(visit, form, file),
    refusal => show(visit, { form, refusal }),
  )

/** GET and POST /staff/certificates/new and /staff/certificates/:id. */
export const templateDetails: StaffSection = {
  // The list of templates leads to them.
  entries: [],
  endpoints: parts => [
    staffPage(`GET ${PATH}/new`, parts, visit => showNew(visit)),
    staffForm(`POST ${PATH}/new`, parts, create),
    staffPage(`GET ${PATH}/:id`, parts, visit => show(visit)),
    staffFileForm(`POST ${PATH}/:id`, parts, submit),
  ],
}
