import { getSelling, type TransferInstructions } from '#src/areas/school/index.ts'
import { type ChargedOrder, chargeForOrder, listFittingProviders } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'

/** A way to pay an order. */
export type Method = {
  readonly name: string
  readonly instructions: TransferInstructions | null
  /** For how many days an order waits that is paid in this way; null where it waits for the page of a provider. */
  readonly days: number | null
}

/** The ways to pay an order of a school, those on a page first. */
export const methodsFor = ({ database, school }: EndpointRequest, order: ChargedOrder): Promise<readonly Method[]> =>
  database.statements(school.id, async db => {
    const [providers, { checkout }] = await Promise.all([
      listFittingProviders({ db, school }, chargeForOrder(order)),
      getSelling(db, school.id),
    ])
    return providers
      .map(({ name, instructions }) => ({
        name,
        instructions,
        days: name === 'manual' ? checkout.manual_hold_days : null,
      }))
      .sort((one, other) => Number(one.name === 'manual') - Number(other.name === 'manual'))
  })
