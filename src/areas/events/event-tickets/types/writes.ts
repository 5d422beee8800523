import { addPrice, createPrice } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { itemExists } from '#src/contract/items.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid } from '#src/kit/ids.ts'
import { ticketPrices } from './conditions.ts'
import { countGroups, countTicketTypes, insertTicketType, type TicketTypeRow } from './queries.ts'
import {
  BLANK_TICKET_TYPE,
  errorsOfTicketType,
  MAX_TICKET_TYPES,
  mergedTicketType,
  type TicketTypeValues,
  tooManyTicketTypes,
} from './rules.ts'
import type { TicketTypeInput } from './schema.ts'

const errorsOfPlans = async ({ db, school }: TransactionContext, ids: readonly string[]): Promise<FieldError[]> => {
  const errors: FieldError[] = []
  for (const [index, id] of ids.entries()) {
    const found = await itemExists.call({ type: 'membership_plan', id }, { db, school })
    if (!found.some(one => one !== undefined && one !== 'unknown'))
      errors.push({ pointer: `/plan_ids/${index}`, code: 'unknown', message: 'is not a membership plan' })
  }
  return errors
}

/** Refuses values that cannot be those of a kind of ticket that costs so much. */
export const checkTicketType = async (
  context: TransactionContext,
  values: TicketTypeValues,
  amount: number,
): Promise<void> => {
  const { db, school } = context
  refuseInvalid(errorsOfTicketType(values, amount))
  if ((await countGroups(db, school.id, values.group_ids)) < values.group_ids.length)
    refuseInvalid([{ pointer: '/group_ids', code: 'unknown', message: 'names a group that does not exist' }])
  refuseInvalid(await errorsOfPlans(context, values.plan_ids))
}

const priceInput = (amount: number) => ({ payment_type: amount === 0 ? 'free' : 'one_time', amount }) as const

/** Adds a kind of ticket with its price to a locked event; returns its id. */
export const addTicketType = async (
  context: TransactionContext,
  eventId: string,
  input: TicketTypeInput,
): Promise<string> => {
  const { db, school, now } = context
  const count = await countTicketTypes(db, school.id, eventId)
  if (count >= MAX_TICKET_TYPES)
    throw new Refusal(tooManyTicketTypes, `The event has ${MAX_TICKET_TYPES} kinds of tickets.`)
  const values = mergedTicketType({ ...BLANK_TICKET_TYPE, position: count + 1 }, input)
  const { amount = 0 } = input
  await checkTicketType(context, values, amount)
  const id = newUuid(now.getTime())
  await insertTicketType(db, school.id, { id, eventId }, values)
  await addPrice({ db, schoolId: school.id, now }, ticketPrices, { id, primary_price_id: null }, priceInput(amount))
  return id
}

/** Sells a locked kind of ticket at another price; who bought it keeps what they paid. Returns the facts. */
export const repriceTicketType = async (
  context: TransactionContext,
  { id, price_id }: Pick<TicketTypeRow, 'id' | 'price_id'>,
  amount: number,
): Promise<readonly Fact[]> => {
  const kind = { table: ticketPrices, name: 'ticket_type', prefix: 'tkt' } as const
  const input = { ...priceInput(amount), replaces: price_id }
  return (await createPrice(context, kind, { id, primary_price_id: price_id }, input)).facts
}
