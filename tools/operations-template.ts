import { camel, type Names, operationsName, pascal, words } from './area-names.ts'

/** The operations of an area or a resource: list, get, create, update and delete. */
export const operationsFile = (names: Names): string => {
  const { thing, things, prefix, path, scope } = names
  const [One, Many, one] = [pascal(thing), pascal(things), camel(thing)]
  return `import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { get${One}, getLocked${One} } from './access.ts'
import { insert${One}, remove${One}, store${One}, ${one}List } from './queries.ts'
import { patchedValues, type ${One}Values } from './rules.ts'
import { ${One}, ${One}Changes, ${One}Page, ${One}Path, ${One}Query, New${One} } from './schema.ts'
import { ${one}View } from './views.ts'

const ACTIONS = ['get${One}', 'update${One}', 'delete${One}']
const example = { ${thing}_id: exampleFrom('${prefix}', 'list${Many}') }

const list${Many}Operation = declareFor('staff', '${scope}', {
  id: 'list${Many}',
  route: 'GET ${path}',
  summary: 'List ${words(things)}',
  query: ${One}Query,
  returns: ${One}Page,
  handle: context => readList(context, ${one}List(context.school.id), rows => rows.map(${one}View)),
})

const get${One}Operation = declareFor('staff', '${scope}', {
  id: 'get${One}',
  route: 'GET ${path}/:${thing}_id',
  summary: 'Get a ${words(thing)}',
  params: ${One}Path,
  returns: ${One},
  example: { params: example },
  async handle(context) {
    const row = await get${One}(context, context.params.${thing}_id)
    return { ...${one}View(row), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const create${One} = declareFor('staff', '${scope}', {
  id: 'create${One}',
  route: 'POST ${path}',
  summary: 'Create a ${words(thing)}',
  body: New${One},
  returns: ${One},
  status: 201,
  example: { body: { name: 'Rye' } },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const id = newUuid(now.getTime())
    const row = await insert${One}(db, school.id, id, patchedValues(body, body))
    const ref = toId('${prefix}', id)
    changed({ ids: [ref], fields: Object.keys(body), revision: row.revision })
    record({ type: '${thing}.created', payload: { ${thing}_id: ref } })
    return ${one}View(row)
  },
})

const update${One} = declareFor('staff', '${scope}', {
  id: 'update${One}',
  route: 'PATCH ${path}/:${thing}_id',
  summary: 'Update a ${words(thing)}',
  ifMatch: 'honoured',
  params: ${One}Path,
  body: ${One}Changes,
  returns: ${One},
  example: { params: example, body: { name: 'Wheat' } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await getLocked${One}(context, params.${thing}_id)
    return changeRow(context, row, {
      id: toId('${prefix}', row.id),
      fact: '${thing}.updated',
      values: (): ${One}Values => patchedValues(row, body),
      store: values => store${One}(db, school.id, row.id, values),
      view: ${one}View,
    })
  },
})

const delete${One} = declareFor('staff', '${scope}', {
  id: 'delete${One}',
  route: 'DELETE ${path}/:${thing}_id',
  summary: 'Delete a ${words(thing)}',
  ifMatch: 'honoured',
  params: ${One}Path,
  returns: undefined,
  example: { params: example },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await getLocked${One}(context, params.${thing}_id)
    await requireMatch(row.revision, () => ${one}View(row))
    await remove${One}(db, school.id, row.id)
    const ref = toId('${prefix}', row.id)
    changed({ ids: [ref], fields: [] })
    record({ type: '${thing}.deleted', payload: { ${thing}_id: ref } })
  },
})

/** The operations on ${words(things)}, in the order of the documentation. */
export const ${operationsName(names)} = [
  list${Many}Operation,
  get${One}Operation,
  create${One},
  update${One},
  delete${One},
]
`
}
