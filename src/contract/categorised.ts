import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { newUuid, toId } from '#src/kit/ids.ts'
import { MergePatch, merged, picked } from '#src/kit/patch.ts'
import { Closed, Id, Instant, Line, Ref, Revision, Slug, Text } from '#src/kit/shapes.ts'
import { cleanLine, slugFor } from '#src/kit/text.ts'
import type { Categorised, CategoryRow, CategoryValues, NewCategoryValues, StoredCategories } from './category.ts'
import { changeRow } from './change.ts'
import type { SchoolContext } from './context.ts'
import type { Db } from './db.ts'
import { buildFactAbout } from './fact.ts'
import { buildRouted } from './operation.ts'
import { PageOf, PageQuery } from './pagination.ts'
import { type FieldError, Refusal } from './problem.ts'
import { notFound, refuseInvalid, slugTaken } from './problems.ts'

const name = Line(120, 'What the category is called')

const found = (row: CategoryRow | undefined): CategoryRow => {
  if (row === undefined) throw new Refusal(notFound, 'There is no such category.')
  return row
}

// The category in a path among those that are locked.
const getIn = (all: readonly CategoryRow[], ref: unknown): CategoryRow =>
  found(all.find(({ id, slug }) => ref === id || ref === `slug:${slug}`))

const unknownIds = (ids: readonly string[], known: readonly { readonly id: string }[], message: string): FieldError[] =>
  ids.flatMap((id, index) =>
    known.some(one => one.id === id) ? [] : [{ pointer: `/category_ids/${index}`, code: 'unknown', message }],
  )

const after = <Values extends CategoryValues>(before: Values, input: Partial<CategoryValues>): Values =>
  merged<CategoryValues>(before, {
    ...input,
    ...(input.name === undefined ? {} : { name: cleanLine(input.name, 120) }),
  }) as Values

type Order = { readonly parent_id?: string | null; readonly category_ids: readonly string[] }

const buildShapes = <Fields extends TProperties>({ ids: [id], prefix, fields, position }: Categorised<Fields>) => {
  const settings = Type.Object({
    name,
    slug: Slug,
    description: Text(1000, 'What belongs in it, as plain text'),
    ...fields,
  })
  const place = Type.Integer({ minimum: 0, description: position })
  const stored = { position: place, revision: Revision, created_at: Instant, updated_at: Instant }
  const category = Closed(id, { id: Id(prefix), ...settings.properties, ...stored })
  return { settings, category, page: PageOf(category, `${id}Page`) }
}

// A declaration after its types were checked, with what is made of it.
type Resource = Categorised<TProperties> & {
  readonly stored: StoredCategories
  readonly shapes: { readonly settings: TObject; readonly category: TObject; readonly page: TObject }
  readonly params: TObject
}

const renderView = ({ shapes }: Resource, row: CategoryRow): object =>
  picked(row, Object.keys(shapes.category.properties) as (keyof CategoryRow)[])

const check = (
  { listErrors }: Resource,
  all: readonly CategoryRow[],
  id: string | undefined,
  values: CategoryValues,
): void => {
  refuseInvalid([
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'has no visible characters' }] : []),
    ...(listErrors?.(all, id, values) ?? []),
  ])
  if (all.some(one => one.slug === values.slug && one.id !== id))
    throw new Refusal(slugTaken, 'Another category has this slug.')
}

const addTo = async (
  resource: Resource,
  { db, school, now }: SchoolContext & { readonly now: Date },
  input: NewCategoryValues,
): Promise<CategoryRow> => {
  const { stored, most, tooMany, called } = resource
  const all = await stored.lock(db, school.id)
  if (all.length >= most) throw new Refusal(tooMany, `A school has at most ${most} ${called[1]}.`)
  const id = newUuid(now.getTime())
  const slug = input.slug ?? (await stored.freeSlug(db, school.id, slugFor(cleanLine(input.name, 120), id), id))
  const values = after({ name: '', slug, description: '', parent_id: null }, input)
  check(resource, all, undefined, values)
  return stored.insert(db, school.id, id, values)
}

const reading = ({ scopes }: Resource) => ({ scope: scopes.reads, who: 'anyone', mode: 'read' }) as const
const writing = ({ scopes }: Resource) => ({ scope: scopes.writes, who: 'staff', mode: 'write' }) as const

const listOperation = (resource: Resource) =>
  buildRouted({
    ...reading(resource),
    id: `list${resource.ids[1]}`,
    route: `GET ${resource.path}`,
    summary: `List ${resource.called[1]}`,
    description: resource.list.description,
    query: Type.Object(PageQuery),
    returns: resource.shapes.page,
    handle: context => resource.list.readPage(context, rows => rows.map(row => renderView(resource, row))),
  })

const readOperation = (resource: Resource) =>
  buildRouted({
    ...reading(resource),
    ...resource.read,
    id: `get${resource.ids[0]}`,
    route: `GET ${resource.path}/:category_id`,
    summary: `Get a ${resource.called[0]}`,
    params: resource.params,
    returns: resource.shapes.category,
    async handle({ db, school, params }) {
      return renderView(resource, found(await resource.stored.find(db, school.id, String(params.category_id))))
    },
  })

const createOperation = (resource: Resource) => {
  const { ids, prefix, fact, shapes } = resource
  const fields = { ...Type.Partial(shapes.settings).properties, name }
  return buildRouted({
    ...writing(resource),
    ...resource.create,
    id: `create${ids[0]}`,
    route: `POST ${resource.path}`,
    summary: `Create a ${resource.called[0]}`,
    body: Closed(`New${ids[0]}`, fields),
    returns: shapes.category,
    status: 201,
    fails: [slugTaken, resource.tooMany],
    async handle(context) {
      const body = context.body as NewCategoryValues
      const row = await addTo(resource, context, body)
      const id = toId(prefix, row.id)
      context.changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
      context.record(buildFactAbout(`${fact}.created`, id))
      return renderView(resource, row)
    },
  })
}

const updateOperation = (resource: Resource) => {
  const { ids, prefix, fact, shapes, stored } = resource
  return buildRouted({
    ...writing(resource),
    ...resource.update,
    id: `update${ids[0]}`,
    route: `PATCH ${resource.path}/:category_id`,
    summary: `Update a ${resource.called[0]}`,
    ifMatch: 'honoured',
    params: resource.params,
    body: MergePatch(shapes.settings, `${ids[0]}Changes`),
    returns: shapes.category,
    fails: [slugTaken],
    async handle(context) {
      const { db, school, params, body } = context
      const all = await stored.lock(db, school.id)
      const row = getIn(all, params.category_id)
      return changeRow<CategoryRow, CategoryRow, object>(context, row, {
        id: toId(prefix, row.id),
        fact: `${fact}.updated`,
        values: () => after(row, body as Partial<CategoryValues>),
        check: values => check(resource, all, row.id, values),
        store: values => stored.store(db, school.id, row.id, values),
        view: one => renderView(resource, one),
      })
    },
  })
}

const deleteOperation = (resource: Resource) => {
  const { ids, prefix, fact, stored } = resource
  const { empty, ...remove } = resource.remove
  return buildRouted({
    ...writing(resource),
    ...remove,
    id: `delete${ids[0]}`,
    route: `DELETE ${resource.path}/:category_id`,
    summary: `Delete a ${resource.called[0]}`,
    ifMatch: 'honoured',
    params: resource.params,
    async handle({ db, school, params, requireMatch, changed, record }) {
      const all = await stored.lock(db, school.id)
      const row = getIn(all, params.category_id)
      await requireMatch(row.revision, () => renderView(resource, row))
      const left = await empty({ db, school }, row, all)
      await stored.delete(db, school.id, row.id)
      const id = toId(prefix, row.id)
      changed({ ids: [id, ...left.ids], fields: left.fields })
      record(buildFactAbout(`${fact}.deleted`, id, left.counts))
    },
  })
}

const reorderOperation = (resource: Resource) => {
  const { ids, prefix, fact, most, fields, reorder, stored } = resource
  const order = { category_ids: Type.Array(Id(prefix), { minItems: 1, maxItems: most, uniqueItems: true }) }
  const ordered = { category_ids: Type.Array(Id(prefix), { description: reorder.ordered }) }
  return buildRouted({
    ...writing(resource),
    id: `reorder${ids[1]}`,
    route: `PUT ${resource.path}/order`,
    summary: `Reorder ${resource.called[1]}`,
    description: reorder.description,
    example: reorder.example,
    body: Closed(`${ids[0]}Order`, { ...Type.Partial(Type.Object(fields)).properties, ...order }),
    returns: Closed(reorder.title, ordered),
    async handle({ db, school, body, changed, record }) {
      const { parent_id: parentId = null, category_ids: first } = body as Order
      const all = (await stored.lock(db, school.id)).filter(one => (one.parent_id ?? null) === parentId)
      refuseInvalid(unknownIds(first, all, reorder.unknown), reorder.detail)
      const rowIds = [...first, ...all.map(one => one.id).filter(id => !first.includes(id))]
      const moved = await stored.storeOrder(db, school.id, rowIds)
      if (moved.length > 0) {
        changed({ ids: moved.map(id => toId(prefix, id)), fields: ['position'] })
        record({ type: `${fact}.reordered`, payload: { count: moved.length } })
      }
      return { category_ids: rowIds }
    },
  })
}

/** The shapes and operations of categories, the latter in the order of the documentation, and what their area does with them. */
export const categorised = <Fields extends TProperties>(stored: StoredCategories, declared: Categorised<Fields>) => {
  const shapes = buildShapes(declared)
  const params = Type.Object({ category_id: Ref(declared.prefix, ['slug']) })
  const resource = { ...declared, stored, shapes, params } as unknown as Resource
  return {
    category: shapes.category,
    page: shapes.page,
    operations: [
      listOperation(resource),
      readOperation(resource),
      createOperation(resource),
      updateOperation(resource),
      deleteOperation(resource),
      reorderOperation(resource),
    ],
    /** Creates a category; without a slug one is derived from its name. */
    add: (context: SchoolContext & { readonly now: Date }, input: NewCategoryValues) => addTo(resource, context, input),
    /** Some categories by their ids, as everybody sees them. */
    renderViews: async ({ db, school }: SchoolContext, ids: readonly string[]) =>
      (await stored.listById(db, school.id, ids)).map(
        row => renderView(resource, row) as Static<typeof shapes.category>,
      ),
    /** The errors of the `category_ids` of a body; those that exist are locked, so that they stay. */
    errorsOfIds: async (db: Db, schoolId: string, ids: readonly string[]): Promise<FieldError[]> =>
      unknownIds(ids, await stored.keep(db, schoolId, ids), `is not a ${declared.called[0]}`),
  }
}
