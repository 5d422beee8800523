import type { Pairs } from '#src/kit/form.ts'
import { daysAfter, instantOf, isDay } from '#src/kit/local-time.ts'

const NAMES = ['member_id', 'item_type', 'status', 'collection', 'due', 'ending', 'sort', 'cursor'] as const

/** The filters of the list as the form sends them; an empty one does not filter. Days are `2026-11-23`. */
export type SubscriptionFilters = Readonly<Record<(typeof NAMES)[number], string>>

/** The filters of an address. */
export const filtersOf = (parameters: URLSearchParams): SubscriptionFilters => {
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  return {
    member_id: part('member_id'),
    item_type: part('item_type'),
    status: part('status'),
    collection: part('collection'),
    due: part('due'),
    ending: part('ending'),
    sort: part('sort'),
    cursor: part('cursor'),
  }
}

/** Whether the list is more than its first page without a filter. */
export const isFiltered = (filters: SubscriptionFilters): boolean =>
  NAMES.some(name => name !== 'sort' && filters[name] !== '')

/** The address of a list with these filters. */
export const pathOf = (path: string, filters: Partial<SubscriptionFilters>): string => {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

// The first instant after a day in a time zone.
const endOf = (day: string, timeZone: string): string =>
  isDay(day) ? instantOf({ local: `${daysAfter(day, 1)}T00:00`, time_zone: timeZone }).toISOString() : ''

/** The query of the operation for filters; their days are whole days in a time zone. */
export const queryOf = (filters: SubscriptionFilters, timeZone: string): Pairs => {
  const { member_id, item_type, status, collection, due, ending, sort, cursor } = filters
  const given: Pairs = [
    ['member_id', member_id],
    ['item_type', item_type],
    ['status[in]', status],
    ['collection', collection],
    ['next_charge_at[lt]', endOf(due, timeZone)],
    ['cancel_at[lt]', endOf(ending, timeZone)],
    ['sort', sort],
    ['cursor', cursor],
  ]
  return given.filter(([, value]) => value !== '')
}
