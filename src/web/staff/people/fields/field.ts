import { CustomField } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  actForms,
  actIn,
  buildState,
  fieldsFor,
  form,
  hidden,
  hiddenFor,
  line,
  lines,
  mainButton,
  noticeFor,
  page,
  type Refused,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'

const { acts, common: text, fields, fieldRefusals } = texts.staff.customFields

/** The address of the list of custom fields. */
export const PATH = '/staff/fields'

type Shown = { readonly label: string; readonly options: string[]; readonly revision: number }

const settings = fieldsFor<Pick<Shown, 'label' | 'options'>>()(fields, {
  label: required(line({ most: 120 })),
  options: lines({ most: 10_000, rows: 6 }),
})

// The page begins with the form of `save`.
const fieldActs = {
  save: { operation: 'updateCustomField', fields: settings, offered: () => false },
  delete: { operation: 'deleteCustomField', offered: () => true },
} as const satisfies Readonly<Record<string, Act<Shown>>>

const readParams = ({ params }: StaffContext) => ({ field_id: params.id ?? '' })

const showField = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, call, language } = context
  const field = await call({ operation: 'getCustomField', params: readParams(context), returns: CustomField })
  const state = buildState(context, refused, 'save', settings.pairs(field, context))
  const rows = settings.rows(state, field.type === 'choice' ? ['label', 'options'] : ['label'])
  return context.frame({
    title: field.label,
    lead: t(text.keyAndType, { key: field.key, type: t(text.types[field.type]) }),
    ...noticeFor(refused?.refusal, language, { sets: [settings], said: { ...staffText.refusals, ...fieldRefusals } }),
    body: html`${context.form(html`${hidden({ act: 'save' })}${hiddenFor(state, field.revision)}${rows}
${mainButton(t(acts.save.button))}`)}
${actForms(context, { acts: fieldActs, item: field, texts: acts, refused })}`,
  })
}

/** GET and POST /staff/fields/:id: one custom field. */
export const fieldDetails = [
  page(`GET ${PATH}/:id`, staff, context => showField(context)),
  form(`POST ${PATH}/:id`, staff, (context, typed) =>
    shownAgain(
      async () => {
        const { name, call } = actIn(fieldActs, typed, { params: readParams(context), reader: context })
        await context.call(call)
        return `${PATH}?done=${name}`
      },
      refusal => showField(context, { act: formField(typed, 'act'), typed, refusal }),
    ),
  ),
]
