import { changeRow } from '#src/contract/change.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import {
  clearValues,
  countFields,
  countHolders,
  deleteField,
  type FieldRow,
  findField,
  insertField,
  listOrderedFields,
  lockField,
  lockFieldList,
  storeField,
  storeOrder,
} from './queries.ts'
import {
  type CheckedField,
  cleanOptions,
  errorsOfField,
  isWholeOrder,
  keyTaken,
  MAX_FIELDS,
  optionInUse,
  tooManyFields,
} from './rules.ts'
import {
  CustomField,
  FieldChanges,
  FieldOrder,
  FieldPage,
  FieldQuery,
  FieldRef,
  type FieldView,
  NewField,
  OrderedFields,
} from './schema.ts'

const ACTIONS = ['getCustomField', 'updateCustomField', 'deleteCustomField']

const params = { field_id: exampleFrom('cfd', 'listCustomFields') }

const renderView = (row: FieldRow): FieldView => ({
  ...row,
  id: row.id,
  options: [...row.options],
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const getField = async (find: typeof findField, db: Db, school: School, id: string): Promise<FieldRow> => {
  const row = await find(db, school.id, id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such custom field.')
  return row
}

const refuseField = (field: CheckedField): void => {
  refuseInvalid(errorsOfField(field), 'The custom field is not valid.')
}

const listCustomFields = declareFor('staff', 'members', {
  id: 'listCustomFields',
  route: 'GET /custom-fields',
  summary: 'List custom fields',
  description: 'Lists the custom member fields of the school in their display order.',
  query: FieldQuery,
  returns: FieldPage,
  async handle(context) {
    const { db, school } = context
    const { rows, after } = parsePage(context)
    const found = await listOrderedFields(db, school.id, rows, after)
    return buildPage(context, found, {
      readPosition: row => [String(row.position), row.id],
      renderViews: rows => rows.map(renderView),
      total: () => countFields(db, school.id),
    })
  },
})

const reorderCustomFields = declareFor('staff', 'members', {
  id: 'reorderCustomFields',
  route: 'PUT /custom-fields/order',
  summary: 'Reorder custom fields',
  description:
    'Sets the display order of all custom fields. The request names every field exactly once; otherwise nothing is changed.',
  body: FieldOrder,
  returns: OrderedFields,
  example: { body: { ids: [exampleFrom('cfd', 'listCustomFields')] } },
  async handle({ db, school, body, changed, record }) {
    await lockFieldList(db, school.id)
    const all = await listOrderedFields(db, school.id, MAX_FIELDS)
    const ids = body.ids
    if (
      !isWholeOrder(
        ids,
        all.map(({ id }) => id),
      )
    )
      throw new Refusal(invalidBody, 'The order must name every custom field of the school exactly once.', {
        errors: [{ pointer: '/ids', code: 'whole', message: 'does not name every custom field exactly once' }],
      })
    const moved = await storeOrder(db, school.id, ids)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('cfd', id)), fields: ['position'] })
      record({ type: 'custom_field.reordered', payload: { count: moved.length } })
    }
    return { data: (await listOrderedFields(db, school.id, MAX_FIELDS)).map(renderView) }
  },
})

const createCustomField = declareFor('staff', 'members', {
  id: 'createCustomField',
  route: 'POST /custom-fields',
  summary: 'Create a custom field',
  description: 'Adds a custom field for members at the end of the order.',
  body: NewField,
  returns: CustomField,
  status: 201,
  fails: [keyTaken, tooManyFields],
  example: { body: { key: 'flour', label: 'Favourite flour', type: 'choice', options: ['wheat', 'rye', 'spelt'] } },
  async handle({ db, school, body, now, changed, record }) {
    const field = { ...body, label: cleanLine(body.label, 120), options: cleanOptions(body.options ?? []) }
    refuseField(field)
    await lockFieldList(db, school.id)
    if ((await countFields(db, school.id)) >= MAX_FIELDS)
      throw new Refusal(tooManyFields, `The school has ${MAX_FIELDS} custom fields.`)
    const row = await insertField(db, school.id, { ...field, id: newUuid(now.getTime()) })
    if (row === undefined) throw new Refusal(keyTaken, `A custom field ${body.key} already exists.`)
    const view = renderView(row)
    changed({ ids: [toId('cfd', view.id)], fields: Object.keys(body), revision: row.revision })
    record({ type: 'custom_field.created', payload: { field_id: toId('cfd', view.id), key: row.key } })
    return view
  },
})

const getCustomField = declareFor('staff', 'members', {
  id: 'getCustomField',
  route: 'GET /custom-fields/:field_id',
  summary: 'Get a custom field',
  description: 'Returns one custom field.',
  params: FieldRef,
  returns: CustomField,
  example: { params },
  async handle({ db, school, params, allowedActions }) {
    const row = await getField(findField, db, school, params.field_id)
    return { ...renderView(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const refuseUsed = async (db: Db, school: School, row: FieldRow, options: readonly string[]): Promise<void> => {
  const removed = row.options.filter(option => !options.includes(option))
  if (removed.length === 0) return
  const count = await countHolders(db, school.id, row.key, removed)
  if (count === 0) return
  throw new Refusal(optionInUse, `Members who have a value that would be removed: ${count}.`, {
    members: { member_count: count },
  })
}

const updateCustomField = declareFor('staff', 'members', {
  id: 'updateCustomField',
  route: 'PATCH /custom-fields/:field_id',
  summary: 'Update a custom field',
  description:
    'Changes the label or the options of a custom field; its key and type are fixed. An option that members have cannot be removed, and the refusal says how many have it.',
  ifMatch: 'honoured',
  params: FieldRef,
  body: FieldChanges,
  returns: CustomField,
  fails: [optionInUse],
  example: { params, body: { label: 'Oven at home' } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await getField(lockField, db, school, params.field_id)
    return changeRow(context, row, {
      id: toId('cfd', row.id),
      fact: 'custom_field.updated',
      values: (): Pick<FieldRow, 'label' | 'options'> => ({
        label: body.label === undefined ? row.label : cleanLine(body.label, 120),
        options: body.options === undefined ? row.options : cleanOptions(body.options),
      }),
      check: values => {
        refuseField({ ...values, type: row.type })
        return refuseUsed(db, school, row, values.options)
      },
      store: values => storeField(db, school.id, row.id, values),
      view: renderView,
    })
  },
})

const deleteCustomField = declareFor('staff', 'members', {
  id: 'deleteCustomField',
  route: 'DELETE /custom-fields/:field_id',
  summary: 'Delete a custom field',
  description:
    'Deletes a custom field and its values for all members permanently. With `dry_run=true` the response says how many members have a value.',
  ifMatch: 'honoured',
  params: FieldRef,
  returns: undefined,
  example: { params },
  async handle({ db, school, params, requireMatch, changed, record }) {
    await lockFieldList(db, school.id)
    const row = await getField(lockField, db, school, params.field_id)
    await requireMatch(row.revision, () => renderView(row))
    const members = await clearValues(db, school.id, row.key)
    await deleteField(db, school.id, row.id)
    changed({ ids: [toId('cfd', params.field_id)], fields: [] })
    record({
      type: 'custom_field.deleted',
      payload: { field_id: toId('cfd', params.field_id), key: row.key, member_count: members },
    })
  },
})

/** Custom fields of members, in the order of the documentation. */
export const fieldOperations = [
  listCustomFields,
  reorderCustomFields,
  createCustomField,
  getCustomField,
  updateCustomField,
  deleteCustomField,
]
