import Type, { type Static, type TObject } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import { type Example, exampleFrom } from '#src/contract/example.ts'
import { type AnyContext, buildRouted, type ReadContext, type WriteContext } from '#src/contract/operation.ts'
import { NewPrice, Price, type PriceInput } from '#src/contract/price.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { Exactly } from '#src/contract/route.ts'
import type { ScopeName } from '#src/contract/scopes.ts'
import { Ref } from '#src/kit/shapes.ts'
import { priceList } from './lookups.ts'
import type { PriceRow } from './queries.ts'
import { priceArchived, tooManyPrices } from './rules.ts'
import { PricePage, PricesQuery, PrimaryPrice } from './schema.ts'
import { choosePrimary, createPrice, type PriceChange, type Priced, type PricedKind, retirePrice } from './writes.ts'

type Item = Priced & { readonly revision: number }

/** What is declared of items that are sold at prices. */
type Offered<OwnItem extends Item, View extends TObject, Params extends TObject, Path extends string> = {
  /** The item in the ids of the operations; `primary` is the id of the one that selects the primary price. */
  readonly ids: { readonly item: string; readonly primary: string }
  /** The item and a price of it in sentences. */
  readonly called: { readonly item: string; readonly price: string }
  readonly path: Path
  readonly params: Params & Exactly<Params, Path>
  readonly returns: View
  readonly scopes: { readonly reads: ScopeName; readonly writes: ScopeName }
  readonly example: Example<Static<Params>>
  readonly descriptions: { readonly list: string; readonly create: string; readonly archive: string }
  readonly newPrice: object
  get(context: ReadContext<Caller>, ref: string): Promise<OwnItem>
  lock(context: WriteContext, ref: string): Promise<OwnItem>
  view(context: WriteContext, item: OwnItem): Promise<Static<View>>
  isManagedBy(caller: Caller, item: OwnItem): boolean
  /** Whether a member has what is sold already. */
  hasAccess(context: ReadContext<Caller>, item: OwnItem, memberId: string): Promise<boolean>
  priceViews(
    context: ReadContext<Caller>,
    rows: readonly PriceRow[],
    item: OwnItem,
  ): Promise<Static<typeof Price>[]> | Static<typeof Price>[]
  /** The errors of a new price that only concern these items. */
  listErrors?(item: OwnItem, input: PriceInput): FieldError[]
}

// A declaration after its types were checked.
type Checked = Offered<Item, TObject, TObject, string>

// Only members change prices.
type Writing = AnyContext & WriteContext

/** The operations of the prices of a kind of item, in the order of the documentation. */
export const priced = <OwnItem extends Item, View extends TObject, Params extends TObject, Path extends string>(
  kind: PricedKind,
  declared: Offered<OwnItem, View, Params, Path>,
) => {
  const resource = declared as unknown as Checked
  const { ids, called, path, params, scopes, example, descriptions } = resource
  const [itemRef = ''] = Object.keys(params.properties)
  const onSale = exampleFrom('prc', `list${ids.item}Prices`, { having: { status: 'active' } })
  const writing = { scope: scopes.writes, who: 'staff', mode: 'write' } as const

  const lock = (context: Writing): Promise<Item> => resource.lock(context, String(context.params[itemRef]))

  const recorded = async (context: Writing, item: Item, done: PriceChange) => {
    const { row, change, facts, primary_price_id } = done
    if (change !== undefined) context.changed(change)
    for (const fact of facts) context.record(fact)
    const [view] = await resource.priceViews(context, [row], { ...item, primary_price_id })
    return view
  }

  return [
    buildRouted({
      id: `list${ids.item}Prices`,
      route: `GET ${path}/prices`,
      summary: `List a ${called.item}'s prices`,
      description: descriptions.list,
      scope: scopes.reads,
      who: 'anyone',
      mode: 'read',
      params,
      query: PricesQuery,
      returns: PricePage,
      example: { params: example },
      async handle(context) {
        const { caller } = context
        const item = await resource.get(context, String(context.params[itemRef]))
        const of = { itemId: item.id, isManager: resource.isManagedBy(caller, item) }
        const [listed, hasAccess] = await Promise.all([
          priceList(context, kind.table, of, async rows => resource.priceViews(context, rows, item)),
          caller.member && resource.hasAccess(context, item, caller.member.id),
        ])
        return { ...listed, ...(hasAccess === undefined ? {} : { has_access: hasAccess }) }
      },
    }),
    buildRouted({
      ...writing,
      id: `create${ids.item}Price`,
      route: `POST ${path}/prices`,
      summary: `Create a ${called.price}`,
      description: descriptions.create,
      params,
      body: NewPrice,
      returns: Price,
      status: 201,
      fails: [priceArchived, tooManyPrices],
      example: { params: example, body: resource.newPrice },
      async handle(context: Writing) {
        const item = await lock(context)
        const input = context.body as PriceInput
        refuseInvalid(resource.listErrors?.(item, input) ?? [])
        return recorded(context, item, await createPrice(context, kind, item, input))
      },
    }),
    buildRouted({
      ...writing,
      id: `archive${ids.item}Price`,
      route: `DELETE ${path}/prices/:price_id`,
      summary: `Retire a ${called.price}`,
      description: descriptions.archive,
      params: Type.Object({ ...params.properties, price_id: Ref('prc') }),
      returns: Price,
      example: { params: { ...example, price_id: onSale } },
      async handle(context: Writing) {
        const item = await lock(context)
        return recorded(context, item, await retirePrice(context, kind, item, String(context.params.price_id)))
      },
    }),
    buildRouted({
      ...writing,
      id: ids.primary,
      route: `PUT ${path}/primary-price`,
      summary: `Set the primary ${called.price}`,
      description: `Selects the price of a ${called.item} that is shown first.`,
      ifMatch: 'honoured',
      params,
      body: PrimaryPrice,
      returns: resource.returns,
      fails: [priceArchived],
      example: { params: example, body: { price_id: onSale } },
      async handle(context: Writing) {
        const { body, requireMatch, changed, record } = context
        const item = await lock(context)
        await requireMatch(item.revision, () => resource.view(context, item))
        const { price_id: id } = body as Static<typeof PrimaryPrice>
        const chosen = await choosePrimary(context, kind, item, id)
        if (chosen === undefined) return resource.view(context, item)
        changed(chosen.change)
        record(chosen.fact)
        return resource.view(context, { ...item, ...chosen.stored })
      },
    }),
  ]
}
