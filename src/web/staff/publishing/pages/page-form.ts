import type { Static } from 'typebox'
import type { SitePage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { isLocalTime, localAt, toInstant } from '#src/kit/local-time.ts'
import { chooseZone, readLine } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { blocksIn, bodyOfBlocks, buildEdited, type EditedBlock } from './blocks.rules.ts'

/** A page as the API returns it to staff. */
export type Content = Encoded<Static<typeof SitePage>>

/** What the form of a page has: its fields, and its blocks. */
export type Edited = { readonly form: Pairs; readonly blocks: readonly EditedBlock[] }

type Zoned = Pick<StaffContext, 'viewer'>

/** The form of a stored page; times are in the time zone of the person. */
export const editedPage = (page: Content, { viewer }: Zoned): Edited => ({
  form: [
    ['title', page.title],
    ['path', page.path],
    ['visibility', page.visibility],
    ['nav_label', page.nav_label ?? ''],
    ['redirects', (page.redirects ?? []).join('\n')],
    ['seo_title', page.seo.title ?? ''],
    ['seo_description', page.seo.description ?? ''],
    ['at', page.publish_at == null ? '' : localAt(new Date(page.publish_at), chooseZone(viewer))],
  ],
  blocks: page.blocks.map(buildEdited),
})

/** The same of a form that was sent. */
export const editedIn = (form: Pairs): Edited => ({ form, blocks: blocksIn(form) })

const listLines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  ),
]

/** A form as a change of a page. */
export const readChanges = ({ form, blocks }: Edited, page: Content): object => {
  const redirects = listLines(formField(form, 'redirects').replaceAll('\r\n', '\n'))
  return {
    title: readLine(form, 'title'),
    path: readLine(form, 'path'),
    visibility: readLine(form, 'visibility'),
    nav_label: readLine(form, 'nav_label') || null,
    seo: { title: readLine(form, 'seo_title') || null, description: readLine(form, 'seo_description') || null },
    ...(page.kind === 'content' ? { blocks: bodyOfBlocks(blocks) } : {}),
    // Left out where it stayed, so that the old path is added to it when the path changes.
    ...(redirects.toSorted().join('\n') === (page.redirects ?? []).join('\n') ? {} : { redirects }),
  }
}

/** The instant of a schedule, which is typed in the time zone of the person. Refuses a text that is no time. */
export const instantIn = (form: Pairs, { viewer }: Zoned): string => {
  const local = readLine(form, 'at').slice(0, 16)
  if (!isLocalTime(local)) refuseInvalid([{ pointer: '/at', code: 'local_time', message: 'is not a time' }])
  return toInstant({ local, time_zone: chooseZone(viewer) }).toISOString()
}
