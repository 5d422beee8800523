import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { daysAfter, instantOf, isDay } from '#src/kit/local-time.ts'

const NAMES = ['q', 'status', 'provider', 'refunded', 'disputed', 'from', 'until', 'sort', 'cursor'] as const

/** The filters of the list of orders as the form sends them; an empty one does not filter. Days are `2026-11-23`. */
export type OrderFilters = Readonly<Record<(typeof NAMES)[number], string>>

/** The filters of a request. */
export const filtersOf = ({ query }: EndpointRequest): OrderFilters => {
  const parameters = new URLSearchParams(query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  return {
    q: part('q'),
    status: part('status'),
    provider: part('provider'),
    refunded: part('refunded'),
    disputed: part('disputed'),
    from: part('from'),
    until: part('until'),
    sort: part('sort'),
    cursor: part('cursor'),
  }
}

/** Whether the list is more than its first page without a filter. */
export const isFiltered = (filters: OrderFilters): boolean =>
  NAMES.some(name => name !== 'sort' && filters[name] !== '')

/** The address of a list with these filters. */
export const pathOf = (path: string, filters: Partial<OrderFilters>): string => {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const startOf = (day: string, timeZone: string): string =>
  instantOf({ local: `${day}T00:00`, time_zone: timeZone }).toISOString()

/** The query of the operation for filters; their days are whole days in a time zone. */
export const queryOf = (filters: OrderFilters, timeZone: string): Pairs => {
  const { q, status, provider, refunded, disputed, from, until, sort, cursor } = filters
  const given: Pairs = [
    ['q', q],
    ['status[in]', status],
    ['provider', provider],
    ['refunded', refunded],
    ['disputed', disputed],
    ['created_at[gte]', isDay(from) ? startOf(from, timeZone) : ''],
    ['created_at[lt]', isDay(until) ? startOf(daysAfter(until, 1), timeZone) : ''],
    ['sort', sort],
    ['cursor', cursor],
  ]
  return given.filter(([, value]) => value !== '')
}
