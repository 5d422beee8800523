import type { School } from '#src/contract/school.ts'
import { hmac, sameBytes } from '#src/kit/crypto.ts'
import type { CalendarEvent } from '#src/kit/icalendar.ts'
import { toId } from '#src/kit/ids.ts'
import type { CalendarRow } from './queries.ts'

/** The purpose of the key that addresses of calendars are signed with. */
export const CALENDARS = 'calendars'

type Feed = { readonly schoolId: string; readonly memberId: string; readonly counter: number }

// With the 16 bytes of an id a multiple of three, so that each token has one spelling.
const MAC_BYTES = 17

const computeMac = (key: Buffer, { schoolId, memberId, counter }: Feed): Buffer =>
  hmac(key, ['calendar', schoolId, memberId, counter].join('\n')).subarray(0, MAC_BYTES)

const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

const formatUuid = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The part of an address that says whose calendar it is and proves that we gave it out. */
export const buildToken = (key: Buffer, feed: Feed): string =>
  Buffer.concat([toBytes(feed.memberId), computeMac(key, feed)]).toString('base64url')

/** The member whom a token names, before it is checked; undefined for another text. */
export const memberOfToken = (token: string): string | undefined =>
  /^[\w-]{44}$/.test(token) ? formatUuid(Buffer.from(token, 'base64url').subarray(0, 16)) : undefined

/** Whether a token was given out for a feed as it is now. */
export const isToken = (key: Buffer, feed: Feed, token: string): boolean =>
  sameBytes(computeMac(key, feed), Buffer.from(token, 'base64url').subarray(16))

/** What a calendar says of a date: with the address at which people meet for those who may have it. */
export const calendarEvent = (
  row: CalendarRow,
  { school, isForMember }: { readonly school: Pick<School, 'baseUrl' | 'siteOrigin'>; readonly isForMember: boolean },
): CalendarEvent => {
  const url = `${school.siteOrigin}/events/${row.slug}`
  const { location } = row
  const place = location === null ? '' : [location.name, location.address].filter(Boolean).join(', ')
  const meeting = isForMember && !row.is_cancelled ? (row.meeting_url ?? '') : ''
  const { latitude = null, longitude = null } = location ?? {}
  return {
    uid: `${toId('occ', row.id)}@${new URL(school.baseUrl).hostname}`,
    sequence: row.sequence,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    timeZone: row.time_zone,
    summary: row.name,
    description: [meeting, location?.note ?? '', row.description, url].filter(Boolean).join('\n\n'),
    location: place || meeting,
    ...(latitude === null || longitude === null ? {} : { position: { latitude, longitude } }),
    url,
    isCancelled: row.is_cancelled,
    changedAt: row.updated_at,
  }
}
