import type { Static } from 'typebox'
import { CustomFieldPage, fieldTypes } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildOutcome,
  buildState,
  type Column,
  choice,
  fieldsFor,
  folded,
  form,
  formKeyIn,
  hidden,
  hiddenFor,
  line,
  lines,
  mainButton,
  page,
  type Refused,
  renderTable,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { fieldDetails, PATH } from './field.ts'

const { acts, common: text, fields, fieldRefusals } = texts.staff.customFields

type Fields = Encoded<Static<typeof CustomFieldPage>>['data']

type New = {
  readonly label: string
  readonly type: (typeof fieldTypes)[number]
  readonly options: string[]
  readonly key: string
}

const newField = fieldsFor<New>()(
  { ...fields, type: { ...fields.type, choices: text.types } },
  {
    label: required(line({ most: 120 })),
    type: choice(fieldTypes),
    options: lines({ most: 10_000, rows: 4, when: ['type', 'choice'] }),
    key: line({ most: 40 }),
  },
)

// Programs call a field by its key, of which somebody who has none in mind need not think.
const makeKey = (label: string): string =>
  label
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, 40)

const listFields = async ({ call }: StaffContext): Promise<Fields> =>
  (await call({ operation: 'listCustomFields', query: [['limit', '100']], returns: CustomFieldPage })).data

const buildColumns = ({ t, form }: StaffContext, all: Fields): Column<Fields[number]>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: ({ id, label, key }) =>
      html`<a href="${PATH}/${id}"><bdi>${label}</bdi></a><small class="sub"><code>${key}</code></small>`,
  },
  { name: fields.type.label, cell: ({ type }) => t(text.types[type]) },
  { name: fields.options.label, kind: 'low', cell: ({ options }) => html`<bdi>${options.join(', ')}</bdi>` },
  {
    name: text.order,
    kind: 'lead',
    cell: ({ id, label }) => {
      const at = all.findIndex(one => one.id === id)
      const move = (act: 'up' | 'down', sign: string) =>
        form(
          html`${hidden({ act, field: id })}<button class="small" type="submit" aria-label="${t(acts[act].button)}: ${label}">${sign}</button>`,
        )
      return html`<span class="acts">${at > 0 && move('up', '↑')}${at < all.length - 1 && move('down', '↓')}</span>`
    },
  },
]

const showFields = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t } = context
  const all = await listFields(context)
  const state = buildState(context, refused, 'add', [['type', 'text']])
  const adding = context.form(html`${hidden({ act: 'add' })}${hiddenFor(state)}${newField.rows(state, newField.names)}
${mainButton(t(acts.add.button))}`)
  const table =
    all.length > 0 &&
    html`<section class="card flush">${renderTable(context, { caption: t(text.title), columns: buildColumns(context, all), rows: all })}</section>`
  return context.frame({
    title: t(text.title),
    lead: t(text.about),
    hasCards: true,
    ...buildOutcome(context, refused?.refusal, {
      sets: [newField],
      said: { ...staffText.refusals, ...fieldRefusals },
      done: text.done,
    }),
    body: html`${table}
${folded(t(acts.add.title), adding, refused?.act === 'add' || all.length === 0)}`,
  })
}

const add = async (context: StaffContext, typed: Pairs): Promise<void> => {
  const { key = '', label = '', ...rest } = newField.body(typed, context)
  await context.call({
    operation: 'createCustomField',
    body: { label, ...rest, key: key === '' ? makeKey(label) : key },
    ...formKeyIn(typed),
  })
}

const move = async (context: StaffContext, typed: Pairs, by: -1 | 1): Promise<void> => {
  const ids = (await listFields(context)).map(({ id }) => id)
  const from = ids.indexOf(formField(typed, 'field'))
  if (from < 0) throw new Refusal(notFound, 'There is no such field.')
  const [id = ''] = ids.splice(from, 1)
  ids.splice(Math.max(0, from + by), 0, id)
  await context.call({ operation: 'reorderCustomFields', body: { ids } })
}

/** GET and POST /staff/fields: the fields that the school adds to its members. */
export const customFields: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => showFields(context)),
    form(`POST ${PATH}`, staff, (context, typed) => {
      const act = formField(typed, 'act')
      if (act !== 'add' && act !== 'up' && act !== 'down')
        throw new Refusal(formRefused, 'The form has no valid action.')
      return shownAgain(
        async () => {
          await (act === 'add' ? add(context, typed) : move(context, typed, act === 'up' ? -1 : 1))
          return `${PATH}?done=${act}`
        },
        refusal => showFields(context, { act, typed, refusal }),
      )
    }),
    ...fieldDetails,
  ],
}
