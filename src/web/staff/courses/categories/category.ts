import { Category } from '#src/areas/courses/index.ts'
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
  mainButton,
  noticeFor,
  page,
  type Refused,
  required,
  selectOneOrNone,
  shownAgain,
  text as textField,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'
import { type CategoryShown, listTree, parentChoices } from './tree.ts'

const { acts, categoryRefusals, fields } = texts.staff.categories

const PATH = '/staff/categories'

/** The fields of the form of a category. */
export const categoryFields = fieldsFor<CategoryShown>()(fields, {
  name: required(line({ most: 120 })),
  parent_id: selectOneOrNone(),
  slug: required(line({ most: 100 })),
  description: textField({ most: 1000 }),
})

// The page begins with the form of `save`.
const categoryActs = {
  save: { operation: 'updateCategory', fields: categoryFields, offered: () => false },
  delete: { operation: 'deleteCategory', offered: () => true },
} as const satisfies Readonly<Record<string, Act<CategoryShown>>>

/** What is said of a refusal on the pages of categories. */
export const buildNotice = ({ language }: StaffContext, refused: Pick<Refused, 'refusal'> | undefined) =>
  noticeFor(refused?.refusal, language, {
    sets: [categoryFields],
    said: { ...staffText.refusals, ...teachingText.refusals, ...categoryRefusals },
  })

const readParams = ({ params }: StaffContext) => ({ category_id: params.id ?? '' })

const showCategory = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, call, form } = context
  const [category, tree] = await Promise.all([
    call({ operation: 'getCategory', params: readParams(context), returns: Category }),
    listTree(context),
  ])
  const choices = parentChoices(
    context,
    tree.filter(({ id }) => id !== category.id),
  )
  const state = buildState({ ...context, choices }, refused, 'save', categoryFields.pairs(category, context))
  const settings = html`${hidden({ act: 'save' })}${hiddenFor(state, category.revision)}${categoryFields.rows(state, categoryFields.names)}
${mainButton(t(acts.save.button))}`
  return context.frame({
    title: category.name,
    ...buildNotice(context, refused),
    body: html`${form(settings)}
${actForms(context, { acts: categoryActs, item: category, texts: acts, refused })}`,
  })
}

/** GET and POST /staff/categories/:id: one category. */
export const categoryDetails = [
  page(`GET ${PATH}/:id`, staff, context => showCategory(context)),
  form(`POST ${PATH}/:id`, staff, (context, typed) =>
    shownAgain(
      async () => {
        const { name, call } = actIn(categoryActs, typed, { params: readParams(context), reader: context })
        await context.call(call)
        return `${PATH}?done=${name}`
      },
      refusal => showCategory(context, { act: formField(typed, 'act'), typed, refusal }),
    ),
  ),
]
